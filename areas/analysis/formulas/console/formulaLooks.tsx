import { Form } from 'antd'
import { useDeferredValue, useMemo } from 'react'
import { assemble } from '../../../../console/chart/assemble.ts'
import { fullName } from '../../../../console/chart/names.ts'
import { Plot } from '../../../../console/chart/Plot.tsx'
import { useSize } from '../../../../console/chart/useSize.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import { Shape } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { PointChoice } from '../../telemetry/console/PointChoice.tsx'
import { formulaCalls } from '../contract.ts'

const hour = 3_600_000
const nobody: readonly ParaInfo[] = []
const nothing = { ParaDataTypeName: '', AxisMin: null, AxisMax: null, IsChartShow: 1, AlarmLow: null, AlarmHigh: null, ReadWriteType: 0 }

type Shown = { Time: number[]; Value: (number | null)[]; unit: string; digits: number }
/** What a formula comes to in the last day. */
const Curve = ({ Time, Value, unit, digits }: Shown) => {
  const t = useWords()
  const [box, width] = useSize()
  const drawn = useMemo(() => {
    const own = { ...nothing, ParaId: 0, ParaName: t('formulaPoint'), ParaUnitName: unit, DecimalDigits: digits, CalDataType: 0 }
    const point: ParaInfo = { ...own, DeviceId: 0, DeviceName: '', DeviceStatus: 1, ExpectedMs: 60_000 }
    const series = { ParaId: 0, Raw: true, Time, Min: Value, Max: Value, Avg: Value, First: Value, Last: Value, Count: [] }
    return { points: [point], lines: [assemble(series, point, 0)], range: { start: (Time.at(-1) ?? 0) - 24 * hour, end: Time.at(-1) ?? 0 } }
  }, [Time, Value, unit, digits, t])
  return <div ref={box}>{width > 0 && <Plot {...drawn} width={width} height={200} />}</div>
}

/** Formula editor: inserts points, validates while typing, and plots a preview. */
const Preview = ({ row }: { row: Record<string, unknown> | undefined }) => {
  const t = useWords()
  const form = Form.useFormInstance()
  const text: unknown = Form.useWatch('Expression', form)
  const chosen: unknown = Form.useWatch('ProjectId', form)
  const unit: unknown = Form.useWatch('ParaUnitName', form)
  const digits: unknown = Form.useWatch('DecimalDigits', form)
  const expression = useDeferredValue(String(text ?? '').trim())
  const ProjectId = Number(row?.ProjectId ?? chosen) || 0
  const { data } = useCall(formulaCalls.check, {
    body: { ProjectId, Expression: expression, ...(row ? { Id: Number(row.Id) } : {}) },
    of: ['point', 'formulaPoint'],
    enabled: ProjectId > 0 && expression !== '',
  })
  const insert = (ids: number[]) => {
    const before = String(form.getFieldValue('Expression') ?? '').trimEnd()
    const joined = before === '' || /[(,+\-*/%<>=]$/.test(before) ? before : `${before} +`
    const value = [joined, ids.map((id) => `#${id}`).join(' + ')].filter(Boolean).join(' ')
    form.setFields([{ name: 'Expression', value, touched: true, errors: [] }])
  }
  const flaw = expression !== '' && data?.Flaw
  const values = data?.Value.some((value) => value !== null) ?? false
  return (
    <>
      <p className="faint">{t('formula.help')}</p>
      <Form.Item label={t('formula.insert')}>
        <PointChoice points={nobody} choose={insert} most={20} />
      </Form.Item>
      {!ProjectId && <p className="soft">{t('formula.chooseProject')}</p>}
      {flaw && (
        <p role="alert">
          <Shape is="alarm" /> {t(`expression.${flaw.Key}`, { at: flaw.At + 1, text: flaw.Text })}
        </p>
      )}
      {expression !== '' && data && !flaw && (
        <>
          <ul className="soft">
            {data.Points.map((p) => (
              <li key={p.ParaId}>
                #{p.ParaId}: {fullName(p)} {p.ParaUnitName && `(${p.ParaUnitName})`}
              </li>
            ))}
          </ul>
          <h4>{t('formula.preview')}</h4>
          {values ? (
            <Curve Time={data.Time} Value={data.Value} unit={String(unit ?? '')} digits={Number(digits ?? 2)} />
          ) : (
            <p className="soft">{t('formula.noValues')}</p>
          )}
          {data.Failed > 0 && <p className="soft">{t('formula.failed', { count: data.Failed })}</p>}
        </>
      )}
    </>
  )
}

export const below: FormProps['below'] = (_, row) => <Preview row={row} />
