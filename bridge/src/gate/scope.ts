import { covers, type Scope } from '../../../protocol/scopes';
import { Refusal } from '../refusal';

/**
 * Refuses a tool that the granted scope does not cover, where no HTTP 403 can
 * be sent. A tool of scope `call` is judged in the tab, by the call it is about.
 *
 * @throws Refusal `permission_denied`, saying how to widen the scope.
 */
export function checkScope(
  tool: string,
  needed: Scope | 'call',
  granted: Scope
): void {
  if (needed === 'call' || covers(granted, needed)) {
    return;
  }
  throw new Refusal(
    'permission_denied',
    `${tool} needs the scope "${needed}", and this connection was started with "${granted}". Only the person can widen it: by starting the bridge with --scope ${needed} in the client's configuration.`
  );
}
