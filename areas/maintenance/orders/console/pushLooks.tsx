import { Select } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import type { AlarmPush } from '../../../alarms/alarm-rules/alarm-push.ts'
import type { mtnAlmTemplate } from '../../maintenance-alarm-templates/contract.ts'
import { orderCalls } from '../contract.ts'

const ways = [1, 3, 2, 4, 7] as const
type Way = (typeof ways)[number]
const emptyPush: AlarmPush = { PushUsers: [], PushMethods: [] }
const listText = (names: readonly string[]) => new Intl.ListFormat(language(), { type: 'conjunction' }).format(names)
const usePeople = () => useCall(orderCalls.people, { query: {}, of: ['user', 'alarmRoster'] }).data

type InputProps = { id?: string; value?: unknown; onChange?: (value: unknown) => void }
/** Who hears of an event, and how. */
const PushInput = ({ id, value, onChange }: InputProps) => {
  const t = useWords()
  const known = usePeople()
  const push = (value ?? emptyPush) as AlarmPush
  const set = (part: Partial<AlarmPush>) => onChange?.({ ...push, ...part })
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
    <div className="stack">
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
    </div>
  )
}

/** A setting as a sentence: when what happens, who hears of it, and how. */
const Sentence = ({ of: row }: { of: { Event: number; LeadTime: number; Enabled: number; AlarmPush: unknown } }) => {
  const t = useWords()
  const known = usePeople()
  const push = (row.AlarmPush ?? emptyPush) as AlarmPush
  const names = [
    ...push.PushUsers.flatMap((id) => known?.People.find((p) => p.Id === id)?.UserName ?? []),
    ...(push.PushRosters ?? []).flatMap((id) => known?.Teams.find((r) => r.Id === id)?.Name ?? []),
  ]
  const count = push.PushUsers.length + (push.PushRosters?.length ?? 0)
  const who = names.length === count && count ? listText(names) : t('push.people', { count })
  const lead = `${row.LeadTime} min`
  const event = t(`push.event.${row.Event}`, { lead })
  const says = t('push.says', { event, who, ways: listText(push.PushMethods.map(({ Method }) => t(`push.method.${Method}`))) })
  return <span className={row.Enabled ? 'rule-sentence' : 'rule-sentence soft'}>{row.Enabled ? says : `${t('push.off')} – ${says}`}</span>
}

export const inputs = { AlarmPush: PushInput }
export const cells: ListProps<typeof mtnAlmTemplate>['cells'] = { AlarmPush: (row) => <Sentence of={row as never} /> }
