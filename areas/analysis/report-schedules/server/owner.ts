// Whose sight a report has.
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import type { Reader } from '../../reports/server/service.ts'
import { reportSchedule } from '../contract.ts'
import type { Sending } from './send.ts'

export type Needs = Reader &
  Sending & {
    sessions: Pick<Sessions, 'actorOf'>
    folder: string
    font: string | undefined
  }

/** Stops the schedule because its owner no longer has access. */
export class OwnerLost extends Error {}

export const ownerOf = async ({ sessions }: Pick<Needs, 'sessions'>, run: { UserId: number | null }): Promise<Actor> => {
  const owner = run.UserId ? await sessions.actorOf(run.UserId, 'report') : undefined
  if (!owner || 'ended' in owner || !owner.may.has(reportSchedule.permission)) throw new OwnerLost('reportOwner')
  return owner
}
