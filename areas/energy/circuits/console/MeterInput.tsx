import { Select, Spin } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useCall, useRow } from '../../../../console/kernel/api.ts'
import { useWords } from '../../../../console/words/words.ts'
import { analysisCalls } from '../../../analysis/telemetry/contract.ts'
import { point } from '../../../configuration/points/contract.ts'

type Props = {
  id?: string
  value?: unknown
  onChange?: (value: unknown) => void
  /** Whether points that count nothing are offered as well. */
  any?: boolean
}

/** A point, usually one that counts something, found by its name or its device. */
export const MeterInput = ({ id, value, onChange, any = false }: Props) => {
  const t = useWords()
  const [typed, type] = useState('')
  const text = useDeferredValue(typed.trim())
  const chosen = typeof value === 'number' ? value : undefined
  const { data, isFetching } = useCall(analysisCalls.findPoints, {
    query: { ...(any ? {} : { Computed: 1 as const }), ...(text ? { Search: text } : {}) },
    of: ['point'],
  })
  const { data: now } = useRow(point, chosen)
  const found = (data?.Items ?? []).filter(({ ParaId, DeviceId }) => ParaId !== chosen && DeviceId > 0)
  const groups = Map.groupBy(found, ({ DeviceName }) => DeviceName)
  const hint = t(any ? 'energy.baseline.choosePoint' : 'circuit.chooseMeter')
  const own = now ? [{ label: String(now.DeviceName), options: [{ value: now.Id, label: now.ParaName }] }] : []
  return (
    <Select
      {...(id ? { id } : { 'aria-label': hint })}
      allowClear
      value={chosen ?? null}
      onChange={(next: number | null | undefined) => onChange?.(next ?? null)}
      options={[
        ...own,
        ...[...groups].map(([label, of]) => ({
          label,
          options: of.map(({ ParaId, ParaName, ParaUnitName }) => ({
            value: ParaId,
            label: ParaUnitName ? `${ParaName} (${ParaUnitName})` : ParaName,
          })),
        })),
      ]}
      placeholder={hint}
      notFoundContent={isFetching ? <Spin size="small" /> : t(any ? 'energy.baseline.noPoints' : 'circuit.noMeters')}
      showSearch={{ filterOption: false, onSearch: type }}
    />
  )
}
