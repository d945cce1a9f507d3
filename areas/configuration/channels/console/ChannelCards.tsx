import './channels.css'
import { ApartmentOutlined, ApiOutlined, SafetyCertificateOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useCall, useCommand, useRows } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useGo } from '../../../../console/shell/To.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { State } from '../../../../console/theme/State.tsx'
import { numberText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords, type Words } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { protocolOf } from '../../../../contract/protocols/index.ts'
import { device } from '../../devices/contract.ts'
import { netProtocol, protocolCalls, serialProtocol } from '../contract.ts'
import type { Channel } from './index.ts'
import { Plug } from './Plug.tsx'
import { targetOfLine, useLineTest } from './useLineTest.ts'

type Answered = Answer<typeof protocolCalls.states>
type Doing = Answered['Channels'][number]
type Row = {
  Id: number
  ProtocolName: string
  ProtocolType: number
  Ip?: string | null
  Port?: number | null
  SerialPort?: string
  BaudRate?: number
  Mode?: number
  Settings: unknown
}
type Device = { Id: number; DeviceName: string; NetProtocolId: number | null; SerialProtocolId: number | null }
const everyMs = 3000
/** Maximum number of cards; the tables below list all channels. */
const most = 60
const [isUp, isDown] = [1, 2]

const conditionOf = (of: Doing | undefined) => {
  if (!of || of.State === 0) return 'offline' as const
  if (of.State === isDown) return 'alarm' as const
  return of.Failed ? ('warning' as const) : ('normal' as const)
}
const stateText = (of: Doing | undefined, t: Words) => {
  if (!of) return t('channel.state.unknown')
  if (of.State === isUp && of.Failed) return t('channel.state.failing')
  return t(`channel.state.${of.State}`)
}
/** Two decimals below ten, because a slow channel sends less than one request per second. */
const rateText = (n: number) => numberText(n, n > 0 && n < 10 ? 2 : 0, language())

const Figures = ({ of, devices }: { of: Doing; devices: readonly Device[] }) => {
  const t = useWords()
  const slowest = devices.find(({ Id }) => Id === of.SlowestDevice)
  return (
    <dl>
      <div>
        <dt>{t('channel.perSecond')}</dt>
        <dd className="figures">{rateText(of.PerSecond)}</dd>
      </div>
      <div>
        <dt>{t('channel.failed')}</dt>
        <dd className="figures">{of.Asked ? `${rateText((of.Failed / of.Asked) * 100)} %` : '–'}</dd>
      </div>
      <div>
        <dt>{t('channel.slowest')}</dt>
        <dd>
          {of.SlowestMs === undefined ? '–' : `${slowest ? `${slowest.DeviceName}, ` : ''}${numberText(of.SlowestMs, 0, language())} ms`}
        </dd>
      </div>
    </dl>
  )
}

const Trust = ({ row, of }: { row: Row; of: Doing }) => {
  const t = useWords()
  const confirm = useConfirm()
  const may = useMay('m10106.trust')
  const { mutateAsync } = useCommand(protocolCalls.trust, ['command', 'channelState'])
  if (!of.Thumbprint) return null
  const Thumbprint = of.Thumbprint
  const shown = Thumbprint.replace(/../g, '$& ').trim()
  const ask = () =>
    confirm({
      title: t('trust.title', { name: row.ProtocolName }),
      content: (
        <>
          <p>{t('trust.text')}</p>
          <p>
            <code>{shown}</code>
          </p>
        </>
      ),
      okText: t('trust.do'),
      danger: false,
      run: () => mutateAsync({ body: { NetProtocolId: row.Id, Thumbprint } }),
    })
  return (
    <>
      <p>
        {t('trust.waits')} <code>{shown}</code>
      </p>
      {may && (
        <Button type="primary" icon={<SafetyCertificateOutlined />} onClick={ask}>
          {t('trust.open')}
        </Button>
      )}
    </>
  )
}

type CardProps = {
  row: Row
  of: Doing | undefined
  devices: readonly Device[]
  line: ReturnType<typeof useLineTest>
  trace: (() => void) | undefined
}
const Card = ({ row, of, devices, line, trace }: CardProps) => {
  const t = useWords()
  const go = useGo()
  const mayBrowse = useMay('m10106.browse')
  const protocol = protocolOf(row.ProtocolType)
  const target = targetOfLine(row)
  const kind = row.SerialPort === undefined ? netProtocol.name : serialProtocol.name
  const where = row.SerialPort
    ? `${row.SerialPort}, ${row.BaudRate}`
    : row.Mode === 1
      ? t('channel.dialled', { port: row.Port ?? '' })
      : target && 'Ip' in target && `${target.Ip}:${target.Port}`
  const first = devices[0]
  return (
    <li className="channel-card" aria-label={row.ProtocolName}>
      <header>
        <Plug of={protocol?.name ?? ''} />
        <div>
          <strong>{row.ProtocolName}</strong>
          <small className="soft">
            {t(`${kind}.ProtocolType.${row.ProtocolType}`)}
            {where && ` · ${where}`}
          </small>
        </div>
      </header>
      <p>
        <State is={conditionOf(of)}>{stateText(of, t)}</State>
        {of && of.State > 0 && <span className="soft"> {t('channel.since', { time: timeText(of.Since) })}</span>}
      </p>
      {of?.Why && !of.Thumbprint && <p className="soft">{of.Why}</p>}
      {of?.State === isUp && <Figures of={of} devices={devices} />}
      {of && <Trust row={row} of={of} />}
      <footer>
        {line.may && target && (
          <Button size="small" icon={<ApiOutlined />} loading={line.isPending} onClick={() => line.test(row.ProtocolName, target)}>
            {t('line.test')}
          </Button>
        )}
        {trace && (
          <Button size="small" icon={<UnorderedListOutlined />} onClick={trace}>
            {t('trace.open')}
          </Button>
        )}
        {mayBrowse && protocol?.browses && first && (
          <Button
            size="small"
            icon={<ApartmentOutlined />}
            onClick={() => go(`/projectManagement/pointManagement?DeviceId=${first.Id}&browse=1`)}
          >
            {t('channel.browse')}
          </Button>
        )}
      </footer>
    </li>
  )
}

type Caller = Answered['Callers'][number]
const textOf = (hex: string) => (hex.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join('')
/** The first bytes of a device, as the registration of a channel. */
export const registrationOf = ({ Said }: Pick<Caller, 'Said'>) =>
  Said && /^[\x20-\x7e]+$/.test(textOf(Said))
    ? { RegistrationForm: 'text', Registration: textOf(Said) }
    : { RegistrationForm: 'hex', Registration: Said }

const Callers = ({ callers, adopt }: { callers: readonly Caller[]; adopt: (caller: Caller) => void }) => {
  const t = useWords()
  const mayAdd = useMay(`${netProtocol.permission}.add`)
  if (!callers.length) return null
  return (
    <section className="panel">
      <h2>{t('callers.title')}</h2>
      <p className="soft">{t('callers.text')}</p>
      <ul className="channel-callers">
        {callers.map((caller) => (
          <li key={`${caller.Transport} ${caller.Port} ${caller.From}`}>
            <span className="figures">{caller.From}</span>
            <code>{caller.Said ? registrationOf(caller).Registration : t('callers.nothing')}</code>
            <span className="soft">{t('callers.count', { count: caller.Count, port: caller.Port })}</span>
            {mayAdd && caller.Said && (
              <Button size="small" onClick={() => adopt(caller)}>
                {t('callers.adopt')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

type Props = { gatewayId: number; trace: ((of: { name: string; channel: Channel }) => void) | undefined; adopt: (caller: Caller) => void }
/** Live state of a gateway's channels, queried while the page is visible. */
export const ChannelCards = ({ gatewayId, trace, adopt }: Props) => {
  const t = useWords()
  const line = useLineTest(gatewayId)
  const page = { GatewayId: gatewayId, PageIndex: 1, PageSize: most }
  const { data: nets } = useRows(netProtocol, page)
  const { data: serials } = useRows(serialProtocol, page)
  const { data: devices } = useRows(device, { ...page, PageSize: 1000 })
  const { data: states } = useCall(protocolCalls.states, {
    query: { GatewayId: gatewayId },
    of: ['channelState'],
    refetchInterval: everyMs,
  })
  const rows = [
    ...(nets?.Items ?? []).map((row) => ({ row: row as Row, CommType: 0, channel: { NetProtocolId: row.Id } })),
    ...(serials?.Items ?? []).map((row) => ({ row: row as Row, CommType: 1, channel: { SerialProtocolId: row.Id } })),
  ]
  if (!rows.length) return <Callers callers={states?.Callers ?? []} adopt={adopt} />
  return (
    <>
      <section className="panel">
        <h2>{t('channel.alive')}</h2>
        {states && states.Code !== 0 && <p className="soft">{t('channel.noStates')}</p>}
        <ul className="channel-cards">
          {rows.slice(0, most).map(({ row, CommType, channel }) => (
            <Card
              key={`${CommType}/${row.Id}`}
              row={row}
              of={states?.Channels.find((one) => one.CommType === CommType && one.ChannelId === row.Id)}
              devices={((devices?.Items ?? []) as Device[]).filter((d) => (CommType ? d.SerialProtocolId : d.NetProtocolId) === row.Id)}
              line={line}
              trace={trace && (() => trace({ name: row.ProtocolName, channel }))}
            />
          ))}
        </ul>
      </section>
      <Callers callers={states?.Callers ?? []} adopt={adopt} />
    </>
  )
}
