import { Form, Select } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import type { AlarmPush } from '../../../alarms/alarm-rules/alarm-push.ts'
import type { mtnAlmTemplate } from '../../maintenance-alarm-templates/contract.ts'
import { orderCalls } from '../contract.ts'
import { QuietHours, Steps } from './Escalation.tsx'
import './orders.css'

const ways = [1, 3, 2, 4, 7] as const
type Way = (typeof ways)[number]
const emptyPush: AlarmPush = { PushUsers: [], PushMethods: [] }
const listText = (names: readonly string[]) => new Intl.ListFormat(language(), { type: 'conjunction' }).format(names)
const usePeople = () => useCall(orderCalls.people, { query: {}, of: ['user', 'alarmRoster'] }).data

type Audience = Pick<AlarmPush, 'PushUsers' | 'PushRosters' | 'PushMethods'>
type AudienceProps = { of: Audience; set: (part: Partial<Audience>) => void; id?: string | undefined }
/** Audience: people, teams on call, and their notification channels. */
const AudienceInput = ({ of: push, set, id }: AudienceProps) => {
  const t = useWords()
  const known = usePeople()
  const many = (
    label: string,
    chosen: number[],
    options: { value: number; label: string }[],
    change: (ids: number[]) => void,
    own?: string,
  ) => (
    <Select<number[]>
      {...(own ? { id: own } : {})}
      mode="multiple"
      showSearch={{ optionFilterProp: 'label' }}
      value={chosen}
      placeholder={label}
      aria-label={label}
      options={options}
      onChange={change}
    />
  )
  return (
    <>
      {many(
        t('push.who'),
        push.PushUsers,
        known?.People.map((p) => ({ value: p.Id, label: p.UserName })) ?? [],
        (PushUsers) => set({ PushUsers }),
        id,
      )}
      {many(t('push.teams'), push.PushRosters ?? [], known?.Teams.map((r) => ({ value: r.Id, label: r.Name })) ?? [], (PushRosters) =>
        set({ PushRosters }),
      )}
      {many(
        t('push.ways'),
        push.PushMethods.map(({ Method }) => Method),
        ways.map((way) => ({ value: way, label: t(`push.method.${way}`) })),
        (methods) =>
          set({ PushMethods: methods.map((Method) => push.PushMethods.find((m) => m.Method === Method) ?? { Method: Method as Way }) }),
      )}
    </>
  )
}

type InputProps = { id?: string; value?: unknown; onChange?: (value: unknown) => void }
/** Audience and channels of an event, quiet hours, and escalation. */
const PushInput = ({ id, value, onChange }: InputProps) => {
  const push = (value ?? emptyPush) as AlarmPush
  const event = Form.useWatch<number | null>('Event', { preserve: true })
  const set = (part: Partial<AlarmPush>) => onChange?.({ ...push, ...part })
  return (
    <div className="stack">
      <AudienceInput of={push} set={set} id={id} />
      <QuietHours of={push} set={set} />
      {event !== 4 && event !== 8 && (
        <Steps of={push} set={set} audience={(step, change) => <AudienceInput of={step as Audience} set={change as never} />} />
      )}
    </div>
  )
}

type Setting = { OrderKind: number; Event: number; LeadTime: number; Enabled: number; AlarmPush: unknown }
/** Describes a push setting in sentences: event, audience, channels, escalation, quiet hours. */
const Sentence = ({ of: row }: { of: Setting }) => {
  const t = useWords()
  const known = usePeople()
  const push = (row.AlarmPush ?? emptyPush) as AlarmPush
  const whoOf = ({ PushUsers, PushRosters = [] }: Audience) => {
    const names = [
      ...PushUsers.flatMap((id) => known?.People.find((p) => p.Id === id)?.UserName ?? []),
      ...PushRosters.flatMap((id) => known?.Teams.find((r) => r.Id === id)?.Name ?? []),
    ]
    const count = PushUsers.length + PushRosters.length
    return names.length === count && count ? listText(names) : t('push.people', { count })
  }
  const waysOf = ({ PushMethods }: Audience) => listText(PushMethods.map(({ Method }) => t(`push.method.${Method}`)))
  const kind = t(`push.kind.${row.OrderKind}`)
  const event = t(`push.event.${row.Event}`, { lead: `${row.LeadTime} min`, kind })
  const steps = push.StepPush?.Enabled && row.Event !== 4 && row.Event !== 8 ? push.StepPush.Steps : []
  const quiet = push.NoDisturb?.Enabled ? push.NoDisturb : undefined
  const says = [
    t('push.says', { event, who: whoOf(push), ways: waysOf(push) }),
    ...steps.map((step) =>
      t('push.saysStep', { after: `${step.Delay} min`, who: whoOf(step as Audience), ways: waysOf(step as Audience) }),
    ),
    ...(quiet ? [t(`push.saysQuiet.${quiet.Mode}`, { start: quiet.Start, end: quiet.End })] : []),
  ].join(' ')
  return <span className={row.Enabled ? 'rule-sentence' : 'rule-sentence soft'}>{row.Enabled ? says : `${t('push.off')} – ${says}`}</span>
}

export const inputs = { AlarmPush: PushInput }
export const cells: ListProps<typeof mtnAlmTemplate>['cells'] = { AlarmPush: (row) => <Sentence of={row as never} /> }
