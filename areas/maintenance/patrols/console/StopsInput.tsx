import { Form, Input, InputNumber } from 'antd'
import { useRows } from '../../../../console/kernel/api.ts'
import { useWords } from '../../../../console/words/words.ts'
import { proRfidInfo } from '../../cards/contract.ts'
import { mostPoints, type Stop } from '../contract.ts'

type Props = { value?: unknown; onChange?: (value: Stop[] | null) => void }

/** Time window and minimum stay of each point of the route. */
export const StopsInput = ({ value, onChange }: Props) => {
  const t = useWords()
  const points = (Form.useWatch<number[] | null>('Points', { preserve: true }) ?? []) as number[]
  const asked = { QueryConditions: [{ Field: 'Id', Value: points.join(','), LogicOP: 8 as const }], RelOP: 1 as const }
  const { data } = useRows(proRfidInfo, { PageIndex: 1, PageSize: mostPoints, QueryInfo: asked }, { enabled: points.length > 0 })
  const names = new Map(data?.Items.map(({ Id, CardName }) => [Id, CardName]))
  const nameOf = (id: number) => names.get(id) ?? String(id)
  const stops = (value as Stop[] | null) ?? []
  if (!points.length) return <p className="soft">{t('patrol.chooseFirst')}</p>
  const set = (i: number, change: Partial<Record<keyof Stop, string | number | undefined>>) => {
    const next = points.map((_, n) => {
      const stop = { ...stops[n], ...(n === i && change) }
      return Object.fromEntries(Object.entries(stop).filter(([, v]) => v !== undefined && v !== '')) as Stop
    })
    onChange?.(next.some((stop) => Object.keys(stop).length) ? next : null)
  }
  return (
    <ol className="patrol-stops">
      {points.map((id, i) => (
        <li key={`${i} ${id}`}>
          <strong>{nameOf(id)}</strong>
          {(['From', 'To'] as const).map((name) => (
            <Input
              key={name}
              type="time"
              aria-label={`${nameOf(id)}: ${t(name === 'From' ? 'patrol.from' : 'patrol.to')}`}
              value={stops[i]?.[name] ?? ''}
              onChange={({ target }) => set(i, { [name]: target.value })}
            />
          ))}
          <InputNumber
            min={0}
            max={240}
            precision={0}
            aria-label={`${nameOf(id)}: ${t('patrol.minutes')}`}
            placeholder={t('patrol.minutes')}
            value={stops[i]?.Minutes ?? null}
            onChange={(minutes) => set(i, { Minutes: minutes ?? undefined })}
          />
        </li>
      ))}
    </ol>
  )
}
