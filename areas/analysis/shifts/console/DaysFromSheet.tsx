import { Alert, App, Button, Form, Upload } from 'antd'
import { useState } from 'react'
import { download, type Fault, queryString, request } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type DaysOfSheet, type MakeUp, shiftCalls } from '../contract.ts'

const mostShown = 5

/** Imports holidays and make-up days from a sheet into the form. `take` receives the merged holidays. */
export const DaysFromSheet = ({ days, take }: { days: readonly string[]; take: (days: string[]) => void }) => {
  const t = useWords()
  const form = Form.useFormInstance()
  const { message } = App.useApp()
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)
  const read = async (sheet: File) => {
    const body = new FormData()
    body.append('file', sheet)
    setBusy(true)
    setFault(undefined)
    try {
      const { Holidays, MakeUps } = await request<DaysOfSheet>('POST', shiftCalls.days.path, body)
      // The sheet wins where a day is both a holiday and a make-up day.
      const working = new Map([...((form.getFieldValue('MakeUps') ?? []) as MakeUp[]), ...MakeUps].map((one) => [one.Day, one]))
      for (const day of Holidays) working.delete(day)
      form.setFieldValue(
        'MakeUps',
        [...working.values()].sort((a, b) => a.Day.localeCompare(b.Day)),
      )
      take([...new Set([...days, ...Holidays])].filter((day) => !working.has(day)).sort())
      void message.success(t('shift.sheet.taken', { holidays: Holidays.length, makeUps: MakeUps.length }))
    } catch (error) {
      setFault(error as Fault)
    }
    setBusy(false)
  }
  const template = (Format: string) =>
    download(`${shiftCalls.template.path}${queryString({ Format })}`, `days.${Format}`).catch((e: Error) => void message.error(e.message))
  const rows = fault?.details.Rows ?? []
  return (
    <div className="stack-tight shift-sheet">
      <div>
        <Upload
          accept=".xlsx,.csv"
          showUploadList={false}
          disabled={busy}
          beforeUpload={(sheet) => {
            void read(sheet)
            return false
          }}
        >
          <Button loading={busy}>{t('shift.sheet.take')}</Button>
        </Upload>
      </div>
      <p className="faint">
        {t('shift.sheet.help')}
        {['xlsx', 'csv'].map((format) => (
          <Button key={format} type="link" size="small" onClick={() => template(format)}>
            .{format}
          </Button>
        ))}
      </p>
      {fault && (
        <Alert
          type="error"
          showIcon
          role="alert"
          title={fault.message}
          description={rows
            .slice(0, mostShown)
            .map(({ Row, Message }) => <p key={`${Row} ${Message}`}>{t('shift.sheet.row', { row: Row, message: Message })}</p>)}
        />
      )}
    </div>
  )
}
