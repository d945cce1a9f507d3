import { App, Button, Checkbox, InputNumber, Skeleton, Switch } from 'antd'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { alarmSettingCalls, type ReminderSetting } from '../contract.ts'
import { Part } from './SettingFields.tsx'
import { useEdited } from './useEdited.ts'

/** How often people are reminded of alarms that nobody has acknowledged. */
const Reminder = () => {
  const t = useWords()
  const { message } = App.useApp()
  const { data, error, refetch } = useCall(alarmSettingCalls.reminder, { of: ['alarmReminder'] })
  const save = useCommand(alarmSettingCalls.saveReminder, ['alarmReminder'])
  const edited = useEdited(data)
  const disabled = !useMay('m10212.edit')
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const { value } = edited
  const set = (part: Partial<ReminderSetting>) => value && edited.change({ ...value, ...part })
  const number = (name: 'Interval' | 'Times', max: number) => (
    <Part title={t(`reminder.${name}`)}>
      <InputNumber
        min={1}
        max={max}
        precision={0}
        disabled={disabled}
        value={value?.[name] ?? 1}
        aria-label={t(`reminder.${name}`)}
        {...(name === 'Interval' ? { suffix: 'min' } : {})}
        onChange={(n) => set({ [name]: n ?? 1 })}
        style={{ width: 140 }}
      />
    </Part>
  )
  const submit = () =>
    save.mutate(
      { body: value! },
      {
        onSuccess: () => {
          edited.done()
          message.success(t('reminder.saved'))
        },
      },
    )
  return (
    <Page
      title={t('menu.m10212')}
      actions={
        !disabled && (
          <Button type="primary" disabled={!edited.isChanged} loading={save.isPending} onClick={submit}>
            {t('save')}
          </Button>
        )
      }
    >
      {value ? (
        <div className="setting-fields">
          <Part title={t('reminder.Enabled')} help={t('reminder.help')}>
            <Switch
              disabled={disabled}
              checked={value.Enabled === 1}
              aria-label={t('reminder.Enabled')}
              onChange={(on) => set({ Enabled: on ? 1 : 0 })}
            />
          </Part>
          {value.Enabled === 1 && (
            <>
              <Part title={t('reminder.Levels')}>
                <Checkbox.Group
                  disabled={disabled}
                  value={value.Levels}
                  onChange={(Levels) => set({ Levels: [...Levels].sort() })}
                  options={([3, 2, 1] as const).map((v) => ({ value: v, label: t(`alarmInfo.AlarmLevel.${v}`) }))}
                />
              </Part>
              {number('Interval', 1440)}
              {number('Times', 100)}
            </>
          )}
        </div>
      ) : (
        <Skeleton active />
      )}
    </Page>
  )
}
export default Reminder
