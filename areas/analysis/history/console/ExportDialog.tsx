import { App, Checkbox, Form, Modal, Select } from 'antd'
import { useState } from 'react'
import type { Range } from '../../../../console/chart/ranges.ts'
import { invoke } from '../../../../console/session/request.ts'
import { saveTask } from '../../../../console/shell/exports/sheets.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { type HistoryAsk, historyCalls, historyFigures, historyFormats, historyShapes, historyUnits } from '../contract.ts'

export type ExportProps = {
  points: readonly ParaInfo[]
  range: Range
  unit?: HistoryAsk['Unit']
  shape?: HistoryAsk['Shape']
  /** Rates are integrated over time, which raw readings cannot show. */
  computed?: boolean
}
type Asked = Omit<HistoryAsk, 'ParaIds' | 'Start' | 'End' | 'Waits'>

const separators = { comma: ',', semicolon: ';', tab: '\t' } as const
const decimals = { point: '.', comma: ',' } as const
/** The server's defaults. */
const usual = () => (language() === 'es' ? { Separator: ';', Decimal: ',' } : { Separator: ',', Decimal: '.' }) satisfies Partial<Asked>

/** What of the readings leaves, and in which form. */
const ExportDialog = ({ points, range, unit = 'raw', shape = 'time', computed = false, close }: ExportProps & { close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<Asked>()
  const [busy, setBusy] = useState(false)
  const asked = Form.useWatch([], form) as Asked | undefined
  // Formulas are evaluated in buckets and have no raw readings.
  const units: readonly HistoryAsk['Unit'][] =
    !computed && points.every((p) => p.DeviceId > 0) ? historyUnits : historyUnits.filter((one) => one !== 'raw')
  const first = units.includes(unit) ? unit : 'hour'
  const isRaw = (asked?.Unit ?? first) === 'raw'
  const isCsv = asked?.Format === 'csv'
  const save = async ({ Figures, Coverage, Quality, Header, Separator, Decimal, ...rest }: Asked) => {
    setBusy(true)
    const body: HistoryAsk = {
      ...{ ParaIds: points.map((p) => p.ParaId), Start: Math.round(range.start), End: Math.round(range.end), Waits: 1, ...rest },
      ...(rest.Unit === 'raw' ? { Quality: Number(Quality) } : { Coverage: Number(Coverage), ...(Figures?.length ? { Figures } : {}) }),
      Header: Number(Header),
      ...(computed ? { Computed: 1 } : {}),
      ...(rest.Format === 'csv' ? { Separator, Decimal } : {}),
    }
    await saveTask(() => invoke(historyCalls.start, { body })).then(close, (error: Error) => message.error(error.message))
    setBusy(false)
  }
  const options = <const T extends readonly string[]>(values: T, label: (value: T[number]) => string) =>
    values.map((value) => ({ value, label: label(value) }))
  return (
    <Modal
      open
      title={t('history.title')}
      okText={t('history.start')}
      onOk={form.submit}
      okButtonProps={{ loading: busy, disabled: isCsv && asked?.Separator === asked?.Decimal }}
      onCancel={close}
    >
      <Form<Asked>
        form={form}
        layout="vertical"
        initialValues={{ Format: 'xlsx', Unit: first, Shape: shape, Figures: ['Value'], Coverage: 1, Quality: 1, Header: 1, ...usual() }}
        onFinish={save}
      >
        <Form.Item name="Format" label={t('history.format')}>
          <Select options={options(historyFormats, (f) => t(`history.format.${f}`))} />
        </Form.Item>
        <Form.Item name="Unit" label={t('explore.unit')}>
          <Select options={options(units, (u) => t(`explore.unit.${u}`))} />
        </Form.Item>
        <Form.Item name="Shape" label={t('explore.by')}>
          <Select options={options(historyShapes, (s) => (s === 'rows' ? t('history.rows') : t(`explore.by.${s}`)))} />
        </Form.Item>
        {!isRaw && (
          <Form.Item name="Figures" label={t('history.figures')} rules={[{ required: true }]}>
            <Select mode="multiple" options={options(historyFigures, (f) => t(`history.figure.${f}`))} />
          </Form.Item>
        )}
        {isCsv && (
          <>
            <Form.Item name="Separator" label={t('history.separator')}>
              <Select options={Object.entries(separators).map(([name, value]) => ({ value, label: t(`history.separator.${name}`) }))} />
            </Form.Item>
            <Form.Item
              name="Decimal"
              label={t('history.decimal')}
              {...(asked?.Separator === asked?.Decimal ? { validateStatus: 'error' as const, help: t('fault.field.decimalSign') } : {})}
            >
              <Select options={Object.entries(decimals).map(([name, value]) => ({ value, label: t(`history.decimal.${name}`) }))} />
            </Form.Item>
          </>
        )}
        <Form.Item name={isRaw ? 'Quality' : 'Coverage'} valuePropName="checked" noStyle>
          <Checkbox>{t(isRaw ? 'history.quality' : 'history.coverage')}</Checkbox>
        </Form.Item>
        <Form.Item name="Header" valuePropName="checked">
          <Checkbox>{t('history.header')}</Checkbox>
        </Form.Item>
      </Form>
      <p className="faint">{t('history.help')}</p>
    </Modal>
  )
}
export default ExportDialog
