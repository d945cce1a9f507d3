import { Select } from 'antd'
import { CronText } from '../../../../console/cron/CronText.tsx'
import { useCall } from '../../../../console/kernel/api.ts'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { none } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { role } from '../../../people/roles/contract.ts'
import { aboutCell, refineAbout } from '../../reports/console/index.ts'
import { mostOutside, mostReceivers, mostRoles, reportRunCalls, type reportSchedule } from '../contract.ts'

type InputProps = { id?: string; value?: unknown; onChange?: (value: unknown) => void }

/** Users who get the report by e-mail. */
const ReceiversInput = ({ id, value, onChange }: InputProps) => {
  const t = useWords()
  const { data, isLoading } = useCall(reportRunCalls.receivers, { of: ['user'] })
  return (
    <>
      <Select<number[]>
        id={id ?? ''}
        mode="multiple"
        allowClear
        loading={isLoading}
        maxCount={mostReceivers}
        value={(value ?? []) as number[]}
        showSearch={{ optionFilterProp: 'label' }}
        options={(data ?? []).map((u) => ({
          value: u.Id,
          label: u.HasEmail ? u.UserName : t('reportSchedule.noEmail', { name: u.UserName }),
        }))}
        onChange={(next) => onChange?.(next)}
        style={{ width: '100%' }}
      />
      <p className="faint">{t('reportSchedule.receiversHelp')}</p>
    </>
  )
}

/** Roles whose members also receive the report. */
const RolesInput = ({ id, value, onChange }: InputProps) => (
  <RefsInput {...(id && { id })} to={role} value={(value ?? []) as number[]} most={mostRoles} onChange={(next) => onChange?.(next)} />
)

/** Addresses outside, as they are typed. */
const addressesInput = (help: string) => {
  const AddressesInput = ({ id, value, onChange }: InputProps) => {
    const t = useWords()
    return (
      <>
        <Select<string[]>
          id={id ?? ''}
          mode="tags"
          open={false}
          suffixIcon={null}
          maxCount={mostOutside}
          tokenSeparators={[',', ';', ' ']}
          placeholder="name@example.com"
          value={(value ?? []) as string[]}
          onChange={(next) => onChange?.(next)}
          style={{ width: '100%' }}
        />
        <p className="faint">{t(help)}</p>
      </>
    )
  }
  return AddressesInput
}

export const inputs: FormProps['inputs'] = {
  Receivers: ReceiversInput,
  ReceiverRoles: RolesInput,
  Outside: addressesInput('reportSchedule.outsideHelp'),
  MoneyOutside: addressesInput('reportSchedule.moneyOutsideHelp'),
}
export const refine: FormProps['refine'] = ({ Trigger, ...values }) => {
  const { hidden = [], required = [] } = refineAbout(values)
  const isShift = Trigger === 'shift'
  if (!isShift && values.Period !== 'shift') return { hidden, required }
  const byShift = isShift ? ['Cron', 'Period'] : []
  return { hidden: [...hidden.filter((name) => name !== 'ProjectId'), ...byShift], required: [...required, 'ProjectId'] }
}
export const cells: ListProps<typeof reportSchedule>['cells'] = {
  About: aboutCell,
  Cron: ({ Cron, Trigger, Period }, t) =>
    Trigger === 'shift' ? (
      t('reportSchedule.Trigger.shift')
    ) : (
      <div>
        <CronText expression={Cron} />
        {Period !== 'template' && <div className="faint">{t(`reportSchedule.Period.${Period}`)}</div>}
      </div>
    ),
  Receivers: ({ Receivers, ReceiverRoles, Outside }, t) => {
    const [people, roles] = [Receivers.length + Outside.length, ReceiverRoles.length]
    const said = [people && t('reportSchedule.receivers', { count: people }), roles && t('reportSchedule.roles', { count: roles })]
    return said.filter(Boolean).join(', ') || none
  },
  Reason: ({ Reason }, t) => (Reason ? t(`fault.${Reason}`) : none),
}
