import { UploadOutlined } from '@ant-design/icons'
import { Button, Form, InputNumber, Upload } from 'antd'
import { useState } from 'react'
import { useWrite } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { queryString, request } from '../../../../console/session/request.ts'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import type { Cell } from '../../../../contract/cell.ts'
import { ChartPanel } from '../../../analysis/data-analysis/console/charts/ChartPanel.tsx'
import { modelCalls, type WaveformAnswer } from '../contract.ts'
import { paintSpectrum } from './paintSpectrum.ts'

type Values = {
  SampleRate?: number | null
  Rpm?: number | null
  Balls?: number | null
  BallDiameter?: number | null
  PitchDiameter?: number | null
  ContactAngle?: number | null
}
/** A deep groove ball bearing 6205. */
const ball6205 = { Balls: 9, BallDiameter: 7.938, PitchDiameter: 38.5, ContactAngle: 0 }
const number = (value: number, digits = 4) => new Intl.NumberFormat(language(), { maximumSignificantDigits: digits }).format(value)

const Analysed = ({ of }: { of: WaveformAnswer }) => {
  const t = useWords()
  const facts = { rms: of.Rms, peak: of.Peak, crest: of.Crest, kurtosis: of.Kurtosis }
  const found = of.Faults.filter(({ IsFound }) => IsFound)
  const rows = ({ Step, Values }: WaveformAnswer['Spectrum']): Cell[][] =>
    Values.map((value, i) => [Number((i * Step).toPrecision(6)), value])
  return (
    <>
      <section className="panel">
        <p>
          {!of.Faults.length
            ? t('models.waveform.noBearing')
            : found.length
              ? found.map(({ Name, Frequency }) => (
                  <State key={Name} is="alarm">
                    {t('models.waveform.found', { fault: t(`models.fault.${Name}`), frequency: number(Frequency) })}
                  </State>
                ))
              : t('models.waveform.clean')}
        </p>
        <Facts
          of={[
            ...Object.entries(facts).map(([key, value]) => ({
              key,
              label: t(`models.waveform.${key}`),
              value: <span className="figures">{number(value)}</span>,
            })),
            ...of.Faults.map(({ Name, Frequency, Lines }) => ({
              ...{ key: Name, label: t(`models.fault.${Name}`) },
              value: (
                <span className="figures">{`${number(Frequency)} Hz · ${t('models.waveform.ratio', { ratio: number(Lines[0]!.Ratio, 2) })}`}</span>
              ),
            })),
          ]}
        />
        <p className="faint">{t('models.waveform.read', { samples: number(of.Samples, 8), rate: number(of.SampleRate, 8) })}</p>
      </section>
      <ChartPanel
        title={t('models.waveform.envelope')}
        paint={(look) =>
          paintSpectrum(
            of.Envelope,
            of.Faults.map(({ Name, Frequency }) => ({ name: t(`models.fault.${Name}`), at: Frequency })),
            look,
          )
        }
        table={[['Hz', t('models.waveform.amplitude')], ...rows(of.Envelope)]}
        help={t('models.waveform.envelope.help')}
      />
      <ChartPanel
        title={t('models.waveform.spectrum')}
        paint={(look) => paintSpectrum(of.Spectrum, [], look)}
        table={[['Hz', t('models.waveform.amplitude')], ...rows(of.Spectrum)]}
      />
    </>
  )
}

/** Waveform upload and analysis. Nothing is stored. */
export const Waveform = () => {
  const t = useWords()
  const [form] = Form.useForm<Values>()
  const [file, choose] = useState<File>()
  const send = useWrite(
    [],
    (values: Values) => {
      const body = new FormData()
      body.append('file', file!)
      const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value != null))
      return request<WaveformAnswer>('POST', `${modelCalls.waveform.path}${queryString(given)}`, body)
    },
    { meta: { quiet: true } },
  )
  const field = (name: keyof Values, suffix = '') => (
    <Form.Item name={name} label={t(`models.waveform.${name}`)}>
      <InputNumber min={0} suffix={suffix} style={{ width: '100%' }} />
    </Form.Item>
  )
  return (
    <>
      <section className="panel" aria-label={t('models.waveform')}>
        <h2>{t('models.waveform')}</h2>
        <p className="soft">{t('models.waveform.help')}</p>
        <Form<Values> form={form} layout="vertical" initialValues={ball6205} onFinish={(values) => file && send.mutate(values)}>
          <div className="model-bearing">
            {field('Rpm', '1/min')}
            {field('Balls')}
            {field('BallDiameter', 'mm')}
            {field('PitchDiameter', 'mm')}
            {field('ContactAngle', '°')}
            {field('SampleRate', 'Hz')}
          </div>
          <span className="button-row">
            <Upload
              accept=".wav,.csv,.txt,.json"
              showUploadList={false}
              beforeUpload={(given) => {
                choose(given)
                return false
              }}
            >
              <Button icon={<UploadOutlined />}>{file?.name ?? t('models.waveform.choose')}</Button>
            </Upload>
            <Button type="primary" htmlType="submit" disabled={!file} loading={send.isPending}>
              {t('models.waveform.analyse')}
            </Button>
          </span>
        </Form>
      </section>
      {send.error && <Failure fault={send.error} />}
      {send.data && !send.isPending && <Analysed of={send.data} />}
    </>
  )
}
