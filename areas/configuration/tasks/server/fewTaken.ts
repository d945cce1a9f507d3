import { countTaken } from '../../../../server/http/taken.ts'
import type { Runs, Task, TaskRow } from './work.ts'

/** The same limit as for calls: a task must not reveal which serial numbers other companies have. */
export const fewTaken = <T extends Task, R extends TaskRow>(kind: Runs<T, R>, clock: () => number): Runs<T, R> => {
  const taken = countTaken(clock)
  return {
    ...kind,
    async run(work) {
      const person = String(work.actor.UserId)
      taken.assertFew(person)
      await kind.run(work).catch((error) => {
        taken.add(person, error, work.task.Language)
        throw error
      })
    },
  }
}
