import { Form, Input, Segmented } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { alarmCalls } from '../contract.ts'
import type { Alarm } from './AlarmLevel.tsx'

/** Shelves alarms for a time, with a reason. */
export const ShelveDialog = ({ alarms, close }: { alarms: Alarm[]; close: () => void }) => {
  const t = useWords()
  const shelve = useCommand(alarmCalls.shelve, ['alarmInfo'], { meta: { quiet: true } })
  return (
    <FormDialog<{ Hours: number; Reason: string }>
      title={alarms.length === 1 ? t('alarm.shelveOne', { name: alarms[0]!.RuleName }) : t('alarm.shelveTitle', { count: alarms.length })}
      okText={t('button.shelve')}
      start={{ Hours: 1 }}
      sending={shelve}
      submit={(values) => shelve.mutate({ body: { Ids: alarms.map((a) => a.Id), ...values } }, { onSuccess: close })}
      close={close}
    >
      <Form.Item name="Hours" label={t('alarm.shelveHours')}>
        <Segmented
          block
          className="alarm-hours"
          options={[1, 2, 4, 8, 24].map((hours) => ({ value: hours, label: t('alarm.hours', { hours }) }))}
        />
      </Form.Item>
      <Form.Item
        name="Reason"
        label={t('alarm.shelveReason')}
        rules={[{ required: true, whitespace: true, message: t('alarm.reasonMissing') }]}
      >
        <Input.TextArea maxLength={200} autoSize={{ minRows: 2 }} />
      </Form.Item>
    </FormDialog>
  )
}
