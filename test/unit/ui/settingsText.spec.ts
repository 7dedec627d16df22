import { nullTranslator } from '@jupyterlab/translation';
import { settingsText } from '../../../src/ui/settingsText';

const trans = nullTranslator.load('jupyterlab_mcp_bridge');

describe('settingsText()', () => {
  it('says nothing of valid settings', () => {
    expect(settingsText([], trans)).toBeNull();
  });

  it('names each invalid setting and what holds in its place', () => {
    const told = settingsText(
      [
        { name: 'readOnly', held: true },
        { name: 'tools', held: [{ name: 'x'.repeat(500) }] },
        { name: 'readonly' }
      ],
      trans
    );
    const [first, second, third] = told?.split('\n') ?? [];
    expect(first).toBe(
      'Settings: “readOnly” is not valid. Until it is corrected this holds: true.'
    );
    expect(second).toContain('“tools”');
    expect(second.length).toBeLessThan(200);
    expect(third).toContain('none named “readonly”');
  });

  it('says what holds when nothing can be read, and what to do', () => {
    expect(settingsText([{ name: null }], trans)).toMatch(
      /cannot be read.*nothing else.*reload/
    );
  });
});
