import { type Figure, figureCall } from '../../contract/figures.ts'
import { Columns, Rows } from '../chart/Bars.tsx'
import { language, useWords } from '../words/words.ts'
import { useCall } from './api.ts'
import { EmptyList, Failure } from './Empty.tsx'

type Item = { Count: number } & Record<string, string | number | null>
type Answer = { TotalCount: number; Items: Item[] } & Record<string, unknown>

const useAnswer = <T,>(f: Figure, query?: object) => {
  const ref = f.of.fields[f.by ?? '']
  const { data, error, refetch } = useCall(figureCall(f), {
    of: [f.of.name, ...(ref?.kind === 'ref' ? [ref.to] : [])],
    query: query as never,
  })
  return { data: data as T | undefined, failure: error && !data && <Failure fault={error} retry={() => refetch()} /> }
}
/** The address of a list with the rows of one count. */
const within = (list: string, field = '', value: unknown) => `${list}${list.includes('?') ? '&' : '?'}${field}=${value}`

/** Counts by the values of a field; `none` names rows without one. Each leads to the rows of the list that it counts. */
export const useCounts = (f: Figure, list: string, none = '') => {
  const t = useWords()
  const { data, failure } = useAnswer<Answer>(f)
  const items = (data?.Items ?? []).map((item) => {
    const value = item[f.key!] ?? null
    const label = f.title ? String(item[f.title] ?? none) : t(`${f.of.name}.${f.by}.${value}`)
    return { key: String(value), value, label, count: item.Count, to: value === null ? list : within(list, f.by, value) }
  })
  return { data, failure, items }
}

type Props = { of: Figure; list: string; label: string }
/** Counts as bars, the label in front. */
export const CountRows = ({ of, list, label, none, empty }: Props & { none?: string; empty: string }) => {
  const { data, failure, items } = useCounts(of, list, none)
  const bars = items.slice(0, 8).map((item) => ({ ...item, title: `${item.label}: ${item.count}` }))
  return failure || (data && !bars.length ? <EmptyList text={empty} /> : <Rows bars={bars} label={label} />)
}

export const useDays = (of: Figure) => useAnswer<{ Date: string; Count: number }[]>(of, { Days: 14 })
/** Counts of the last fourteen days, side by side. */
export const DayColumns = ({ of, list, label, title }: Props & { title: (day: { date: string; count: number }) => string }) => {
  const { data = [], failure } = useDays(of)
  const short = new Intl.DateTimeFormat(language(), { day: 'numeric', month: 'numeric', timeZone: 'UTC' })
  const bars = data.map(({ Date: date, Count: count }) => {
    const bar = { key: date, count, label: short.format(new Date(`${date}T00:00:00Z`)), title: title({ date, count }) }
    return { ...bar, to: within(list, of.at, `${date}~${date}`) }
  })
  return failure || <Columns bars={bars} label={label} />
}
