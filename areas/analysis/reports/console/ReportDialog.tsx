import { App, Form, Modal, Select } from 'antd'
import { useState } from 'react'
import type { Range } from '../../../../console/chart/ranges.ts'
import { invoke } from '../../../../console/session/request.ts'
import { saveTask } from '../../../../console/shell/exports/sheets.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { languages } from '../../../../contract/languages.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { paperChoices } from '../blocks.ts'
import { type ReportAsk, readyNames, reportCalls, reportFormats, reportPeriods } from '../contract.ts'

export type ReportProps = { points: readonly ParaInfo[]; range: Range }
type Asked = Pick<ReportAsk, 'Report' | 'Period' | 'Format' | 'Paper' | 'Language'>

/** Names of languages in themselves. */
const languageNames = { en: 'English', zh: '中文', es: 'Español', ja: '日本語' } as const

/** Which report, about which period, in which form. */
const ReportDialog = ({ points, range, close }: ReportProps & { close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<Asked>()
  const format = Form.useWatch('Format', form)
  const [busy, setBusy] = useState(false)
  const make = async (asked: Asked) => {
    setBusy(true)
    const span = asked.Period === 'range' ? { Start: Math.round(range.start), End: Math.round(range.end) } : {}
    const body: ReportAsk = { ...asked, ...span, ParaIds: points.map((p) => p.ParaId), Waits: 1 }
    await saveTask(() => invoke(reportCalls.start, { body })).then(close, (error: Error) => message.error(error.message))
    setBusy(false)
  }
  const options = <const T extends readonly string[]>(values: T, label: (value: T[number]) => string) =>
    values.map((value) => ({ value, label: label(value) }))
  return (
    <Modal open title={t('report.title')} okText={t('report.make')} onOk={form.submit} okButtonProps={{ loading: busy }} onCancel={close}>
      <Form<Asked>
        form={form}
        layout="vertical"
        initialValues={{ Report: 'operation', Period: 'range', Format: 'pdf', Paper: 'auto', Language: language() }}
        onFinish={make}
      >
        <Form.Item name="Report" label={t('report.which')}>
          <Select options={options(readyNames, (name) => t(`report.ready.${name}`))} />
        </Form.Item>
        <Form.Item name="Period" label={t('explore.period')}>
          <Select options={options(reportPeriods, (period) => t(`report.period.${period}`))} />
        </Form.Item>
        <Form.Item name="Format" label={t('history.format')}>
          <Select options={options(reportFormats, (format) => t(`report.format.${format}`))} />
        </Form.Item>
        {format === 'pdf' && (
          <Form.Item name="Paper" label={t('reportTemplate.Paper')}>
            <Select options={options(paperChoices, (paper) => t(`reportTemplate.Paper.${paper}`))} />
          </Form.Item>
        )}
        <Form.Item name="Language" label={t('report.language')}>
          <Select options={options(languages, (name) => languageNames[name])} />
        </Form.Item>
      </Form>
      <p className="faint">{t('report.help')}</p>
    </Modal>
  )
}
export default ReportDialog
