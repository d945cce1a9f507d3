import { CronText } from '../../../../console/cron/CronText.tsx'
import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { hasWords } from '../../../../console/words/words.ts'
import { standardTimers, type TimerMethod, type timer, type timerLog, timerMethods } from '../contract.ts'

type Looks = ListProps<typeof timer>

const keepOf = (method: unknown) => {
  const known = timerMethods[method as TimerMethod]
  return known && 'keep' in known ? known.keep : undefined
}

/** A standard task has a name in the reader's language until a user renames it. */
export const titleOf: NonNullable<Looks['titleOf']> = ({ Method, TimerName }, t) => {
  const known = Object.entries(standardTimers).find(([method, standard]) => method === Method && standard.TimerName === TimerName)
  return known ? t(`timer.standard.${known[0]}`) : TimerName
}

export const cells: Looks['cells'] = {
  TimerName: titleOf,
  Method: (row, t) => (
    <span className="wrap" style={{ maxWidth: '26ch' }}>
      {t(`timer.Method.${row.Method}`)}
    </span>
  ),
  Cron: (row) => <CronText expression={row.Cron} />,
  Keep: (row, t) => {
    const keep = keepOf(row.Method)
    return keep ? t(`timer.keep.${keep.counts}`, { count: row.Keep ?? keep.standard }) : ''
  },
}

export const refine: FormProps<typeof timer>['refine'] = ({ Method }) => ({ hidden: keepOf(Method) ? [] : ['Keep'] })

export const logCells: ListProps<typeof timerLog>['cells'] = {
  Wording: ({ Wording, WordValues }, t) =>
    t(hasWords(`timer.said.${Wording}`) ? `timer.said.${Wording}` : Wording, (WordValues ?? {}) as Record<string, unknown>),
}
