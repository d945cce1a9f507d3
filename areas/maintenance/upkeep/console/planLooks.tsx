import { Form, Select } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { numberText } from '../../../../console/words/formats.ts'
import { weekdays, weekdayText } from '../../../../console/words/weekdays.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { mtnEquipment } from '../../equipment/contract.ts'
import { ItemsInput } from '../../job-sheets/console/ItemsInput.tsx'
import { PointSelect } from '../../job-sheets/console/PointSelect.tsx'
import { orderCalls } from '../../orders/contract.ts'
import { byCounter, mostMachines, type mtnUpKeepPlan, nextDates } from '../contract.ts'
import './upkeep.css'

type Props = { id?: string; value?: unknown; onChange?: (value: unknown) => void }
const listOf = (value: unknown) => (Array.isArray(value) ? (value as number[]) : [])

/** Machines of the chosen project. */
const Machines = ({ id, value, onChange, to, placeholder }: Props & { to: Resource; placeholder?: string }) => {
  const ProjectId = Form.useWatch<number | null>('ProjectId', { preserve: true })
  return (
    <RefsInput
      {...{ to, ...(id && { id }), ...(placeholder && { placeholder }) }}
      value={listOf(value)}
      most={mostMachines}
      where={{ ProjectId: ProjectId ?? undefined }}
      onChange={(ids) => onChange?.(ids.length ? ids : null)}
    />
  )
}
const DevicesInput = (props: Props) => {
  const t = useWords()
  const others = listOf(Form.useWatch('EquipmentIds', { preserve: true }))
  return <Machines {...props} to={device} {...(!others.length && { placeholder: t('upkeep.wholeProject') })} />
}
const EquipmentInput = (props: Props) => <Machines {...props} to={mtnEquipment} />
const many = (options: { value: number; label: string }[]) => {
  const Many = ({ id, value, onChange }: Props) => (
    <Select<number[]>
      {...(id && { id })}
      mode="multiple"
      value={listOf(value)}
      options={options}
      onChange={(chosen) => onChange?.(chosen.length ? chosen.toSorted((a, b) => a - b) : null)}
    />
  )
  return Many
}
/** Renders the weekday names in the current language. */
const WeekDays = (props: Props) => many(weekdays.map((value) => ({ value, label: weekdayText(value, 'long') })))(props)
const MonthDays = many(Array.from({ length: 31 }, (_, i) => ({ value: i + 1, label: String(i + 1) })))

const useProject = () => Form.useWatch<number | null>('ProjectId', { preserve: true }) ?? undefined
/** Planners cannot open the lists of users, teams and points, so this offers those of the project. */
const Counters = ({ id, value, onChange }: Props) => (
  <PointSelect {...(id && { id })} project={useProject()} value={(value as number | null) ?? null} {...(onChange && { onChange })} />
)
const Whom = ({ id, value, onChange, of }: Props & { of: 'People' | 'Teams' }) => {
  const ProjectId = useProject()
  const { data, isFetching } = useCall(orderCalls.people, {
    query: { ProjectId: ProjectId ?? 0 },
    enabled: ProjectId !== undefined,
    of: ['user', 'alarmRoster'],
  })
  const options = [
    ...(of === 'People' ? (data?.People ?? []).map(({ Id, UserName }) => ({ value: Id, label: UserName })) : []),
    ...(of === 'Teams' ? (data?.Teams ?? []).map(({ Id, Name }) => ({ value: Id, label: Name })) : []),
  ]
  return (
    <Select<number>
      {...(id && { id })}
      allowClear
      disabled={ProjectId === undefined}
      showSearch={{ optionFilterProp: 'label' }}
      loading={isFetching}
      value={((value as number | null) ?? null) as never}
      options={options}
      onChange={(next?: number) => onChange?.(next ?? null)}
    />
  )
}

export const inputs: FormProps<typeof mtnUpKeepPlan>['inputs'] = {
  ...{ DeviceIds: DevicesInput, EquipmentIds: EquipmentInput, WeekDays, MonthDays, Items: ItemsInput, HourParaId: Counters },
  AssignUserId: (props) => <Whom {...props} of="People" />,
  TeamId: (props) => <Whom {...props} of="Teams" />,
}
export const refine: FormProps<typeof mtnUpKeepPlan>['refine'] = ({ CycleType, HourParaId, ProjectId }) => ({
  hidden: [
    ...(CycleType === 2 ? [] : ['WeekDays']),
    ...(Number(CycleType) > 2 && CycleType !== byCounter ? [] : ['MonthDays']),
    ...(CycleType === byCounter ? ['CycleValue', 'ExecTime', 'SkipHolidays', 'AdvanceDays'] : []),
    ...(HourParaId ? [] : ['HourStep', 'HourDone']),
  ],
  required: [...(CycleType === byCounter ? ['HourParaId'] : []), ...(HourParaId ? ['HourStep'] : [])],
  where: { HourParaId: { ProjectId: Number(ProjectId) || undefined } },
})

type Counted = Record<string, unknown> & { HourUsed: number | null; HourStep: number | null; HourNext: string | null; OpenEvents: number }
const forecastOf = (t: ReturnType<typeof useWords>, { HourNext }: Counted) =>
  HourNext ? t('upkeep.forecast', { date: HourNext.slice(0, 10) }) : t('upkeep.noForecast')
/** Warns that the amount is uncertain while meter events are open. */
const OpenEvents = ({ count }: { count: number }) => {
  const t = useWords()
  return count ? <State is="warning">{t('upkeep.openEvents', { count })}</State> : null
}
/** Progress of a plan's counter and its forecast due date. */
const Counter = ({ row }: { row: Counted }) => {
  const t = useWords()
  if (row.HourUsed === null || row.HourStep === null) return <span className="faint">—</span>
  return (
    <span className="upkeep-counter">
      <span className="figures">{t('upkeep.used', { used: numberText(row.HourUsed), step: numberText(row.HourStep) })}</span>
      <span className="soft">{forecastOf(t, row)}</span>
      <OpenEvents count={row.OpenEvents} />
    </span>
  )
}
export const cells: ListProps<typeof mtnUpKeepPlan>['cells'] = { HourUsed: (row) => <Counter row={row as never} /> }

const today = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
const NextDates = ({ values }: { values: Record<string, unknown> }) => {
  const t = useWords()
  if (!values.StartDate || values.CycleType === byCounter) return null
  const dates = nextDates(values, today())
  return (
    <p className="upkeep-dates" role="status">
      {dates.length ? t('upkeep.next', { dates: dates.join(', '), time: String(values.ExecTime ?? '') }) : t('upkeep.noDates')}
    </p>
  )
}
const CounterLine = ({ row }: { row: Counted }) => {
  const t = useWords()
  if (row.HourUsed === null || row.HourStep === null) return null
  const words = { used: numberText(row.HourUsed), step: numberText(row.HourStep), forecast: forecastOf(t, row) }
  return (
    <p className="upkeep-dates">
      {t('upkeep.counterLine', words)} <OpenEvents count={row.OpenEvents} />
    </p>
  )
}
export const below: FormProps<typeof mtnUpKeepPlan>['below'] = (values, row) => (
  <>
    <NextDates values={values} />
    {row && <CounterLine row={row as unknown as Counted} />}
  </>
)
