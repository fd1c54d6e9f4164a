import type { PersonId, Tx } from '#lib/kernel';
import { isChannelName, readDestination, type Destination } from '../domain/destination.js';
import type { Channel } from './delivery.ports.js';

/** Every channel, in the order in which fan-out asks them: the first destination's message is delivered without a job. */
export class ChannelRegistry {
  constructor(readonly all: readonly Channel[]) {
    const names = all.map(({ name }) => name);
    const odd = names.find((name) => !isChannelName(name));
    if (odd !== undefined)
      throw new Error(`the channel "${odd}" cannot be stored: give it a name of 1 to 20 letters, a to z`);
    if (new Set(names).size !== names.length) throw new Error(`two channels share a name: ${names.join(', ')}`);
  }

  /** The names of the channels for which people choose the kinds of messages. */
  get chosen(): readonly string[] {
    return this.all.flatMap(({ name, chosen }) => (chosen ? [name] : []));
  }

  /** The channel that has an address of a tenant's document, and can store it. */
  naming(address: string): Channel | undefined {
    return this.all.find(({ named, address: shape }) => named?.accepts(address) === true && shape.test(address));
  }

  /** The addresses that documents may name, in words: one text for each channel that has some. */
  get addressForms(): readonly string[] {
    return this.all.flatMap(({ named }) => (named === undefined ? [] : [named.form]));
  }

  /** The names of the channels that reach each of the people now. */
  async reaching(tx: Tx, people: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly string[]>> {
    const reached = await Promise.all(this.all.map((channel) => channel.reached(tx, people)));
    return new Map(
      people.map((id) => [
        id,
        this.all.flatMap(({ name }, each) => (reached[each]?.includes(id) === true ? [name] : [])),
      ]),
    );
  }

  /** @throws {Error} if the text is no destination of a channel, which the outbox never stores. */
  read(text: string): { readonly channel: Channel; readonly to: Destination } {
    const to = readDestination(text);
    const channel = this.all.find(({ name }) => name === to.channel);
    if (channel?.address.test(to.address) !== true) throw new Error(`"${text}" is a destination of no channel`);
    return { channel, to };
  }
}
