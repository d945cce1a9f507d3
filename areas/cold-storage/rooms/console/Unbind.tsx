import { Form, Input } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { roomCalls } from '../calls.ts'
import type { coldSensorBind } from '../contract.ts'

type Values = { UnbindTime?: string }
export default function Unbind({ row, close }: DialogProps<typeof coldSensorBind>) {
  const t = useWords()
  const unbind = useCommand(roomCalls.unbind, ['coldSensorBind', 'coldStorage', 'alarmRule'], { meta: { quiet: true } })
  const submit = ({ UnbindTime }: Values) =>
    unbind.mutate(
      { body: { SensorBindId: row.Id, ...(UnbindTime?.trim() ? { UnbindTime: UnbindTime.trim() } : {}) } },
      { onSuccess: close },
    )
  return (
    <FormDialog<Values>
      title={t('cold.unbindOf', { name: row.SensorName })}
      okText={t('cold.unbind')}
      sending={unbind}
      submit={submit}
      close={close}
    >
      <Form.Item name="UnbindTime" label={t('coldSensorBind.UnbindTime')} extra={t('cold.unbindHelp')}>
        <Input placeholder={timeText(Date.now())} maxLength={19} />
      </Form.Item>
    </FormDialog>
  )
}
