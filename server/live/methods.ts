import { type HubMessages, hubMethods, type LiveValue } from '../../contract/hub.ts'
import { languages } from '../../contract/languages.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from '../identity/actor.ts'
import type { Connection } from './connection.ts'
import type { Limits } from './limits.ts'
import type { Subscriptions } from './subscriptions.ts'

type Needs = {
  visible: (actor: Actor, paraIds: readonly number[]) => Promise<number[]>
  latest: (paraId: number) => LiveValue | undefined
  watch: (paraIds: readonly number[]) => Promise<void>
  limits: Limits
  subscriptions: Subscriptions
}

/** What a client may invoke, with arguments from outside; refusals are Faults, their key is the completion's error. */
export const createMethods = ({ visible, latest, watch, limits, subscriptions }: Needs) => {
  const idsOf = (given: unknown): number[] => {
    if (!Array.isArray(given) || !given.every((id) => Number.isSafeInteger(id) && id > 0)) throw new Fault('invalid')
    if (given.length > limits.points) throw new Fault('tooMany')
    return [...new Set<number>(given)]
  }

  /** Answers the latest values of the points asked for, and the number of the last push before them: `Values` goes on from there. */
  const subscribe = async (connection: Connection, [given]: unknown[]): Promise<HubMessages['Values'][0]> => {
    const asked = idsOf(given)
    const own = new Set(asked)
    const allowed = (asked.length ? await visible(connection.actor, asked) : []).filter((id) => own.has(id))
    if (connection.points.union(new Set(allowed)).size > limits.points) throw new Fault('tooMany')
    if (!connection.open) return { Seq: 0, Values: [] }
    subscriptions.add(connection, allowed)
    await watch(allowed)
    return { Seq: connection.outlet.seq, Values: allowed.map(latest).filter((v) => v !== undefined) }
  }

  const methods: Record<string, (connection: Connection, args: unknown[]) => unknown> = {
    [hubMethods.LoginConnect]: ({ actor }, [userId]) => {
      if (userId !== actor.UserId && userId !== String(actor.UserId)) throw new Fault('forbidden')
    },
    [hubMethods.Subscribe]: subscribe,
    [hubMethods.SetLanguage]: (connection, [given]) => {
      const asked = languages.find((language) => language === given)
      if (!asked) throw new Fault('invalid')
      connection.asked = asked
    },
    [hubMethods.Unsubscribe]: (connection, [given]) => subscriptions.remove(connection, idsOf(given)),
  }

  return async (connection: Connection, target: string, args: unknown[]) => {
    const method = Object.hasOwn(methods, target) ? methods[target] : undefined
    if (!method) throw new Fault('noSuchPath')
    return method(connection, args)
  }
}
