import '../../../../console/theme/monitor.css'
import { SettingOutlined } from '@ant-design/icons'
import { Button, Modal, Progress, Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { type Range, spans } from '../../../../console/chart/ranges.ts'
import { useSize } from '../../../../console/chart/useSize.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { SettingsForm } from '../../../../console/kernel/SettingsForm.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { none, numberText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { type MachineUse, machineLimits, monitoringCalls } from '../contract.ts'
import { UsePlot } from './UsePlot.tsx'

const offered = ['1h', '6h', '24h', '7d'] as const
const refreshMs = 10_000
const units = ['B', 'kB', 'MB', 'GB', 'TB']
const bytes = (n: number | null) => {
  if (n === null) return none
  const step = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, n)) / Math.log(1000)))
  return `${(n / 1000 ** step).toLocaleString(language(), { maximumFractionDigits: 1 })} ${units[step]}`
}

/** Usage of one resource: value, total, and whether it exceeds its limit. */
const Share = ({ name, part, limit, of }: { name: string; part: number; limit: number; of: string }) => (
  <div className="monitor-card">
    <div className="monitor-name">{name}</div>
    <div className="monitor-value">
      <State is={part >= limit ? 'warning' : 'normal'}>{numberText(part, 0)} %</State>
    </div>
    <Progress percent={Math.round(part)} showInfo={false} size="small" status={part >= limit ? 'exception' : 'normal'} aria-label={name} />
    <div className="soft">{of}</div>
  </div>
)

const Now = ({ use }: { use: MachineUse }) => {
  const t = useWords()
  const [memory, disk] = [(100 * use.MemoryUsed) / use.MemoryTotal, (100 * use.DiskUsed) / use.DiskTotal]
  const facts: [string, string][] = [
    [t('monitor.receive'), use.Receive === null ? none : `${bytes(use.Receive)}/s`],
    [t('monitor.send'), use.Send === null ? none : `${bytes(use.Send)}/s`],
    [t('monitor.processMemory'), bytes(use.Rss)],
    [t('monitor.processCpu'), `${numberText(use.ProcessCpu, 0)} %`],
    [t('monitor.loop'), `${numberText(use.LoopMs, 0)} ms`],
    [t('monitor.since'), timeText(use.Time - use.UptimeSeconds * 1000)],
    [t('monitor.version'), `${use.Version} · Node ${use.Node.slice(1)}`],
  ]
  return (
    <>
      <div className="monitor-cards">
        <Share
          name={t('machineLimits.Cpu')}
          part={use.Cpu}
          limit={use.Limits.Cpu}
          of={t('monitor.cores', { count: use.Cores, load: use.Load === null ? none : numberText(use.Load, 1) })}
        />
        <Share
          name={t('machineLimits.Memory')}
          part={memory}
          limit={use.Limits.Memory}
          of={t('monitor.of', { used: bytes(use.MemoryUsed), total: bytes(use.MemoryTotal) })}
        />
        <Share
          name={t('machineLimits.Disk')}
          part={disk}
          limit={use.Limits.Disk}
          of={t('monitor.of', { used: bytes(use.DiskUsed), total: bytes(use.DiskTotal) })}
        />
        <div className="monitor-card">
          <div className="monitor-name">{t('monitor.engines')}</div>
          <ul className="monitor-engines">
            {use.Engines.map(({ Name, Ready }) => (
              <li key={Name}>
                <State
                  is={Ready ? 'normal' : 'alarm'}
                >{`${t(`monitor.engine.${Name}`)}: ${t(Ready ? 'monitor.ready' : 'monitor.away')}`}</State>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="figures">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Health of the server's machine: now, and over the last week. */
const MonitorScreen = () => {
  const t = useWords()
  const mayEdit = useMay('m10453.edit')
  const [box, width] = useSize()
  const [span, setSpan] = useState<string>('1h')
  const [zoomed, setZoomed] = useState<Range>()
  const [end, setEnd] = useState(() => Date.now())
  const [editing, setEditing] = useState(false)
  useEffect(() => {
    const timer = setInterval(() => setEnd(Date.now()), refreshMs)
    return () => clearInterval(timer)
  }, [])
  const range = zoomed ?? { start: end - spans[span]!, end }
  const query = { Start: Math.max(0, Math.floor(range.start)), End: Math.floor(range.end) }
  const { data, error, refetch } = useCall(monitoringCalls.use, { query })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const back = () => setZoomed(undefined)
  const plot = { history: data?.History, range, width, onRange: setZoomed, onBack: back }
  return (
    <Page
      title={t('menu.m10453')}
      actions={
        mayEdit && (
          <Button icon={<SettingOutlined />} onClick={() => setEditing(true)}>
            {t('monitor.limits')}
          </Button>
        )
      }
    >
      {data ? <Now use={data} /> : <div className="monitor-waits" />}
      <div className="search-bar">
        <Segmented
          value={zoomed ? '' : span}
          onChange={(value) => {
            back()
            setSpan(value)
          }}
          options={offered.map((value) => ({ value, label: t(`span.${value}`) }))}
          aria-label={t('monitor.range')}
        />
        {zoomed && <Button onClick={back}>{t('monitor.back')}</Button>}
      </div>
      <div ref={box} className="stack">
        <UsePlot title={t('monitor.shares')} measures={['Cpu', 'Memory', 'Disk']} unit="%" scale={1} {...plot} />
        <UsePlot title={t('monitor.network')} measures={['Receive', 'Send']} unit="kB/s" scale={1000} {...plot} />
        <UsePlot title={t('monitor.process')} measures={['Rss']} unit="MB" scale={1_000_000} {...plot} />
        <UsePlot title={t('monitor.loop')} measures={['LoopMs']} unit="ms" scale={1} {...plot} />
      </div>
      {editing && (
        <Modal open title={t('monitor.limits')} footer={null} onCancel={() => setEditing(false)}>
          <p className="soft">{t('monitor.limitsHelp')}</p>
          <SettingsForm of={machineLimits} onSaved={() => setEditing(false)} />
        </Modal>
      )}
    </Page>
  )
}
export default MonitorScreen
