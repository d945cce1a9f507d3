import { DeleteOutlined } from '@ant-design/icons'
import { Button, Input, InputNumber, Select } from 'antd'
import type { DragEvent, ReactNode } from 'react'
import { useWords } from '../../../../console/words/words.ts'
import { type MappingFault, type MappingRule, type Source, sources } from '../../../../contract/parsing/mapping.ts'
import { longestPath } from '../../../../contract/parsing/path.ts'
import { timeUnits } from '../../../../contract/parsing/values.ts'

type Change = (next: MappingRule) => void
type Props = {
  number: number
  of: MappingRule
  faults: MappingFault[]
  disabled: boolean
  change: Change
  remove: (() => void) | undefined
}
type Part = 'Value' | 'Key' | 'Device' | 'Time'

/** Replaces the value with a dropped path. */
const drops = (take: (path: string) => void) => ({
  onDragOver: (e: DragEvent) => e.preventDefault(),
  onDrop: (e: DragEvent) => {
    e.preventDefault()
    const path = e.dataTransfer.getData('text/plain').slice(0, longestPath)
    if (path) take(path)
  },
})

const Labelled = ({ label, fault, children }: { label: string; fault: MappingFault | undefined; children: ReactNode }) => {
  const t = useWords()
  return (
    <div className="parse-field">
      <span className="soft">{label}</span>
      <div className="parse-inputs">{children}</div>
      {fault && (
        <span className="parse-fault" role="alert">
          {t(`parse.mapping.${fault.reason}`, { at: fault.at + 1 })}
        </span>
      )}
    </div>
  )
}

type SourceProps = Omit<Props, 'faults' | 'remove' | 'change' | 'of'> & {
  name: 'Key' | 'Device'
  of: Source | undefined
  fault: MappingFault | undefined
  change: (next: Source | undefined) => void
}
/** Source of a name; a device name may be the sender itself. */
const SourceFields = ({ name, number, of, fault, disabled, change }: SourceProps) => {
  const t = useWords()
  const label = t(`parse.${name}`)
  const options = sources.map((value) => ({ value: value as string, label: t(`parse.from.${value}`) }))
  const own = { value: '', label: t('parse.from.sender') }
  const choose = (From: string) => {
    const next = sources.find((source) => source === From)
    change(next && { From: next, ...(next !== 'name' && { Is: next === 'topic' ? '2' : (of?.Is ?? '') }) })
  }
  return (
    <Labelled label={label} fault={fault}>
      <Select
        aria-label={`${number}: ${label}`}
        value={of?.From ?? ''}
        disabled={disabled}
        options={name === 'Device' ? [own, ...options] : options.filter(({ value }) => value !== 'topic')}
        onChange={choose}
        popupMatchSelectWidth={false}
      />
      {of && of.From !== 'name' && (
        <Input
          className={of.From === 'path' ? 'mono' : ''}
          aria-label={`${number}: ${label}, ${t(`parse.from.${of.From}`)}`}
          value={of.Is ?? ''}
          disabled={disabled}
          maxLength={longestPath}
          status={fault ? 'error' : ''}
          onChange={(e) => change({ ...of, Is: e.target.value })}
          {...(!disabled && drops((Is) => change({ From: 'path', Is })))}
        />
      )}
    </Labelled>
  )
}

/** One mapping rule: the path to its values, and the sources of device, key and time. */
export const RuleFields = ({ number, of, faults, disabled, change, remove }: Props) => {
  const t = useWords()
  const faultOf = (part: Part) => faults.find(({ field }) => field === part)
  const { Device: _, Time: __, TimeUnit: ___, ...withoutTime } = of
  const setDevice = (next: Source | undefined) => {
    const { Device: _, ...rest } = of
    change(next ? { ...rest, Device: next } : rest)
  }
  const setTime = (text: string) =>
    change(text ? { ...of, Time: text, TimeUnit: of.TimeUnit ?? 'ms' } : { ...withoutTime, ...(of.Device && { Device: of.Device }) })
  const setNumber = (name: 'Scale' | 'Offset', value: number | null) => {
    const { [name]: _, ...rest } = of
    change(value === null ? rest : { ...rest, [name]: value })
  }
  const shared = { number, disabled }
  return (
    <li className="parse-rule">
      <Labelled label={t('parse.Value')} fault={faultOf('Value')}>
        <Input
          className="mono"
          aria-label={`${number}: ${t('parse.Value')}`}
          value={of.Value}
          disabled={disabled}
          maxLength={longestPath}
          status={faultOf('Value') ? 'error' : ''}
          onChange={(e) => change({ ...of, Value: e.target.value })}
          {...(!disabled && drops((Value) => change({ ...of, Value })))}
        />
        {remove && !disabled && (
          <Button type="text" icon={<DeleteOutlined />} aria-label={t('dataParse.removeRule', { number })} onClick={remove} />
        )}
      </Labelled>
      <SourceFields name="Key" {...shared} of={of.Key} fault={faultOf('Key')} change={(next) => next && change({ ...of, Key: next })} />
      <SourceFields name="Device" {...shared} of={of.Device} fault={faultOf('Device')} change={setDevice} />
      <Labelled label={t('parse.Time')} fault={faultOf('Time')}>
        <Input
          className="mono"
          aria-label={`${number}: ${t('parse.Time')}`}
          value={of.Time ?? ''}
          placeholder={t('parse.arrival')}
          disabled={disabled}
          maxLength={longestPath}
          status={faultOf('Time') ? 'error' : ''}
          onChange={(e) => setTime(e.target.value)}
          {...(!disabled && drops(setTime))}
        />
        {of.Time !== undefined && (
          <Select
            aria-label={`${number}: ${t('parse.TimeUnit')}`}
            value={of.TimeUnit ?? 'ms'}
            disabled={disabled}
            options={timeUnits.map((value) => ({ value, label: t(`parse.unit.${value}`) }))}
            onChange={(TimeUnit) => change({ ...of, TimeUnit })}
            popupMatchSelectWidth={false}
          />
        )}
      </Labelled>
      <Labelled label={t('parse.scaling')} fault={undefined}>
        {(['Scale', 'Offset'] as const).map((name) => (
          <InputNumber
            key={name}
            aria-label={`${number}: ${t(`parse.${name}`)}`}
            prefix={name === 'Scale' ? '×' : '+'}
            value={of[name] ?? null}
            placeholder={name === 'Scale' ? '1' : '0'}
            disabled={disabled}
            onChange={(value) => setNumber(name, value)}
          />
        ))}
      </Labelled>
    </li>
  )
}
