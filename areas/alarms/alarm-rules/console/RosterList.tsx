import './rules.css'
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, Select } from 'antd'
import { useCall, useRow } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useUser } from '../../../../console/session/session.ts'
import { useOwner, useTenant } from '../../../../console/session/useTenant.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { useWords, type Words } from '../../../../console/words/words.ts'
import { TenantSelect } from '../../../people/enterprises/console/TenantSelect.tsx'
import { enterprise } from '../../../people/enterprises/contract.ts'
import { alarmRoster, type Shift } from '../../alarm-rosters/contract.ts'
import { alarmRuleCalls } from '../contract.ts'
import { peopleOptions } from './pushDraft.ts'

const days = [2, 3, 4, 5, 6, 7, 1] as const
type InputProps = { id?: string; value?: unknown; onChange?: (value: unknown) => void }

/** People of the tenant that owns a new roster. */
const usePeople = () => useCall(alarmRuleCalls.users, { query: useOwner(alarmRoster) ?? {}, of: ['user'] })

/** Shifts of a roster: start, end, days and people. */
const ShiftsInput = ({ id, value, onChange }: InputProps) => {
  const t = useWords()
  const users = usePeople()
  const shifts = (value ?? []) as Shift[]
  const set = (at: number, part: Partial<Shift>) => onChange?.(shifts.map((s, i) => (i === at ? { ...s, ...part } : s)))
  const clock = (at: number, name: 'Start' | 'End') => (
    <Input
      type="time"
      value={shifts[at]![name]}
      aria-label={t(name === 'Start' ? 'rules.StartTime' : 'rules.EndTime')}
      onChange={(e) => e.target.value && set(at, { [name]: e.target.value })}
      style={{ width: 130 }}
    />
  )
  return (
    <div className="rule-enable" id={id}>
      {shifts.map((s, i) => (
        <fieldset key={i} className="rule-group">
          <div className="rule-words">
            {clock(i, 'Start')}
            <span>–</span>
            {clock(i, 'End')}
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label={t('rules.removeShift', { shift: i + 1 })}
              onClick={() => onChange?.(shifts.filter((_, k) => k !== i))}
            />
          </div>
          <Select<number[]>
            mode="multiple"
            value={s.Weeks ?? []}
            placeholder={t('rules.everyDay')}
            aria-label={t('rules.weekdays')}
            options={days.map((d) => ({ value: d, label: t(`rules.weekday.${d}`) }))}
            onChange={(Weeks) => set(i, { Weeks })}
          />
          <Select<number[]>
            mode="multiple"
            showSearch={{ optionFilterProp: 'label' }}
            value={s.Users}
            placeholder={t('rules.choosePeople')}
            aria-label={t('rules.pushUsers')}
            options={peopleOptions(users.data)}
            onChange={(Users) => set(i, { Users })}
          />
        </fieldset>
      ))}
      <Button
        type="dashed"
        icon={<PlusOutlined />}
        onClick={() => onChange?.([...shifts, { Start: shifts.at(-1)?.End ?? '06:00', End: '14:00', Weeks: [], Users: [] }])}
      >
        {t('rules.addShift')}
      </Button>
    </div>
  )
}

const shiftText = (shifts: Shift[], t: Words, nameOf: (id: number) => string | undefined) =>
  shifts
    .map(({ Start, End, Weeks, Users }) => {
      const when = Weeks?.length ? Weeks.map((d) => t(`rules.weekday.${d}`)).join(', ') : t('rules.everyDay')
      const names = Users.flatMap((id) => nameOf(id) ?? [])
      const who = names.length === Users.length ? names.join(', ') : t('rules.people', { count: Users.length })
      return t('rules.shiftText', { start: Start, end: End, days: when, who })
    })
    .join('; ')

/** On-call rosters. */
const RosterList = () => {
  const t = useWords()
  const tenant = useTenant()
  const owner = useOwner(alarmRoster)
  const user = useUser()
  const { data: company, isLoading } = useRow(enterprise, owner?.EnterpriseId ?? (user?.IsPlatform ? undefined : user?.EnterpriseId))
  const { data: people } = usePeople()
  const nameOf = (id: number) => people?.find((u) => u.Id === id)?.UserName
  // A form reads its initial values only once.
  if (isLoading) return <Waiting />
  return (
    <Page title={t('menu.m10230')}>
      <ResourceList
        of={alarmRoster}
        columns={['RosterName', 'Shifts', 'TimeZone', 'Remark']}
        cells={{ Shifts: (row) => <span className="rule-sentence">{shiftText(row.Shifts as Shift[], t, nameOf)}</span> }}
        extra={<TenantSelect />}
        fixed={tenant}
        form={{ inputs: { Shifts: ShiftsInput }, begin: company && { TimeZone: company.TimeZoneKey } }}
      />
    </Page>
  )
}
export default RosterList
