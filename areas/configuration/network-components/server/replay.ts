// Sends refused messages through the corrected parser, into history.
import type { Body } from '../../../../contract/call.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { RejectedStore } from '../../../../server/telemetry/rejected.ts'
import { type componentCalls, replayedHours } from '../contract.ts'
import type { Door } from './doors.ts'
import type { Intake } from './intake.ts'
import { readKept } from './kept.ts'

/** Messages per query and per call, and time limit of a call, ms. */
const [together, most, patienceMs] = [50, 2000, 15_000]
type Needs = { intake: Intake; rejected: Pick<RejectedStore, 'after' | 'remove'>; now(): number }

/** Replays of one sender run one after the other. */
export const createReplay = ({ intake, rejected, now }: Needs) => {
  const running = new Set<number>()
  const run = async (door: Door, { Hours = replayedHours }: Body<typeof componentCalls.replay>) => {
    const done = { Messages: 0, Readings: 0, Left: 0, More: 0 }
    const of = { EnterpriseId: door.EnterpriseId, SN: door.SN, since: now() - Hours * 3_600_000, limit: together }
    const end = performance.now() + patienceMs
    for (let id = 0; ; ) {
      const rows = rejected.after({ ...of, id })
      if (!rows.length) return done
      for (const row of rows) {
        if (done.Messages + done.Left >= most || performance.now() > end) return { ...done, More: 1 }
        id = row.Id
        const kept = readKept(row.payload)
        const readings = kept ? await intake.replay(door, kept, row.received) : 0
        if (!readings) {
          done.Left++
          continue
        }
        rejected.remove(door.EnterpriseId, [row.Id])
        done.Messages++
        done.Readings += readings
      }
    }
  }
  return async (door: Door, body: Body<typeof componentCalls.replay>) => {
    if (running.has(door.Id)) throw new Fault('busy')
    running.add(door.Id)
    try {
      return await run(door, body)
    } finally {
      running.delete(door.Id)
    }
  }
}
export type Replay = ReturnType<typeof createReplay>
