import type { Context } from '../../../../server/context.ts'
import { noteDeed } from '../../../../server/identity/note.ts'
import { deviceVnc, type PanelEnd } from '../contract.ts'
import type { Bridge } from './bridge.ts'

/** Logs who opened and controlled a panel, and for how long, in the panel's company. */
export const openPanelLog = ({ database, log, steady }: Pick<Context, 'database' | 'log' | 'steady'>) => {
  const writing = new Set<Promise<unknown>>()
  const note = ({ viewer, actor }: Bridge, Verb: string, details: object = {}) => {
    const { Id, EnterpriseId, Title, origin } = viewer
    const who = { UserId: actor.UserId, EnterpriseId, ...(origin ? { origin } : {}) }
    const entry = noteDeed(database.system, who, { Resource: deviceVnc.name, RecordId: Id, Verb }, { Title, ...details })
      .catch((err) => log.error({ err }, 'a panel session is missing from the log'))
      .finally(() => writing.delete(entry))
    writing.add(entry)
  }
  const seconds = (ms: number) => Math.round(ms / 1000)
  return {
    opened: (bridge: Bridge) => note(bridge, 'panelOpen'),
    controlled: (bridge: Bridge) => note(bridge, 'panelControl'),
    closed: (bridge: Bridge, Reason: PanelEnd) =>
      note(bridge, 'panelClose', {
        Reason,
        Seconds: seconds(steady() - bridge.begun),
        ControlSeconds: seconds(bridge.controlledMs),
      }),
    /** Resolves when all entries are written. */
    written: () => Promise.all(writing),
  }
}
