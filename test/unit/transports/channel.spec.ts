import type { RpcMessage } from '../../../protocol/frames';
import { Channel } from '../../../src/transports/channel';

describe('Channel', () => {
  it('hands over what came before somebody received, in order', () => {
    const channel = new Channel(() => undefined);
    channel.push({ id: 1 });
    channel.push({ id: 2 });
    const got: RpcMessage[] = [];
    channel.receive(
      message => got.push(message),
      () => undefined
    );
    channel.push({ id: 3 });
    expect(got).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it('tells its end once, also to one who comes later', () => {
    const channel = new Channel(() => undefined);
    const early = jest.fn();
    channel.receive(() => undefined, early);
    channel.end();
    channel.end();
    expect(early).toHaveBeenCalledTimes(1);
    const late = jest.fn();
    channel.receive(() => undefined, late);
    expect(late).toHaveBeenCalledTimes(1);
  });

  it('neither sends nor takes anything after its end', () => {
    const sent: RpcMessage[] = [];
    const closed = jest.fn();
    const channel = new Channel(message => sent.push(message), closed);
    const got: RpcMessage[] = [];
    channel.receive(
      message => got.push(message),
      () => undefined
    );
    channel.close();
    channel.close();
    channel.send({ id: 1 });
    channel.push({ id: 2 });
    expect(closed).toHaveBeenCalledTimes(1);
    expect(sent).toEqual([]);
    expect(got).toEqual([]);
  });
});
