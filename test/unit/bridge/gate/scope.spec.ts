import { SCOPES, type Scope } from '../../../../protocol/scopes';
import { checkScope } from '../../../../bridge/src/gate/scope';
import { errorResult, Refusal } from '../../../../bridge/src/refusal';

describe('checkScope', () => {
  const allowed: Record<Scope, readonly (Scope | 'call')[]> = {
    read: ['read', 'call'],
    write: ['read', 'write', 'call'],
    run: ['read', 'write', 'run', 'call'],
    admin: ['admin', 'call']
  };

  it.each(
    SCOPES.flatMap(granted =>
      [...SCOPES, 'call' as const].map(needed => [granted, needed] as const)
    )
  )('with %s granted, %s needed', (granted, needed) => {
    const check = () => checkScope('some_tool', needed, granted);
    if (allowed[granted].includes(needed)) {
      expect(check).not.toThrow();
    } else {
      expect(check).toThrow(
        expect.objectContaining({
          code: 'permission_denied',
          message: expect.stringContaining(`--scope ${needed}`)
        })
      );
    }
  });
});

describe('errorResult', () => {
  it('is the error object, and its message as text', () => {
    expect(errorResult(new Refusal('operation_refused', 'Open it.'))).toEqual({
      isError: true,
      structuredContent: {
        code: 'operation_refused',
        message: 'Open it.',
        auditId: null,
        retryable: false
      },
      content: [{ type: 'text', text: 'Open it.' }]
    });
  });

  it('names the audit entry, and whether to try again', () => {
    expect(errorResult(new Refusal('audit_unavailable', 'Later.'), 7)).toEqual({
      isError: true,
      structuredContent: {
        code: 'audit_unavailable',
        message: 'Later.',
        auditId: 7,
        retryable: true
      },
      content: [{ type: 'text', text: 'Later. (audit id 7)' }]
    });
  });
});
