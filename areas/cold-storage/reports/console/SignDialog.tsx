import { Form, Input } from 'antd'
import { useWrite } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { invoke } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import { actCall } from '../../../../contract/acts.ts'
import { coldReport } from '../contract.ts'
import type { ReportRow } from './reportRow.ts'

export type Signature = 'check' | 'approve' | 'withdraw'
type Values = { Pwd: string; Reason?: string }

/** Signs the displayed record with the account's password. */
export const SignDialog = ({ row, act, close }: { row: ReportRow; act: Signature; close: () => void }) => {
  const t = useWords()
  const signing = useWrite(
    [coldReport.name],
    (values: Values) => {
      const seen = act === 'withdraw' ? {} : { RecordSha256: row.RecordSha256 }
      return invoke(actCall(coldReport, act), { body: { Id: row.Id, ...seen, ...values } as never })
    },
    { meta: { quiet: true } },
  )
  const hash = act === 'withdraw' ? row.FileSha256 : row.RecordSha256
  return (
    <FormDialog<Values>
      title={`${t(`act.coldReport.${act}`)}: ${row.ReportNo}`}
      okText={t(`act.coldReport.${act}`)}
      sending={signing}
      submit={(values) => signing.mutate(values, { onSuccess: close })}
      close={close}
    >
      <p>{t(act === 'withdraw' ? 'ask.coldReport.withdraw.text' : 'cold.report.signing')}</p>
      <p className="soft cold-hash figures">{`SHA-256 ${hash}`}</p>
      {act === 'withdraw' && (
        <Form.Item
          name="Reason"
          label={t('coldReport.Reason')}
          rules={[{ required: true, whitespace: true, message: t('fault.field.required') }]}
        >
          <Input.TextArea rows={3} maxLength={500} />
        </Form.Item>
      )}
      <Form.Item name="Pwd" label={t('coldReport.Pwd')} rules={[{ required: true, message: t('fault.field.required') }]}>
        <Input.Password autoComplete="current-password" maxLength={200} />
      </Form.Item>
    </FormDialog>
  )
}
