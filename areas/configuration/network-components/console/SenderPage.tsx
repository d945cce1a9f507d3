import './senders.css'
import { Alert, Skeleton, Typography } from 'antd'
import { Link, useSearchParams } from 'react-router'
import { useActs } from '../../../../console/kernel/acts.tsx'
import { type Shown, useCall, useRow } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { RowActions } from '../../../../console/kernel/RowActions.tsx'
import { DetailHead } from '../../../../console/shell/DetailHead.tsx'
import { useGo } from '../../../../console/shell/To.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { dataParseCalls } from '../../data-parse/contract.ts'
import { componentCalls, described, dialling, networkComponent, sparkplug } from '../contract.ts'
import { freshToken, keepToken } from './freshTokens.ts'
import { linesOf } from './lines.ts'
import { Messages } from './Messages.tsx'
import { Replay } from './Replay.tsx'
import { SeenKeys } from './SeenKeys.tsx'
import { LastMessage } from './SendersScreen.tsx'

type Sender = Shown<typeof networkComponent>

/** Connection settings to paste. They include the token only while this page still has it. */
const HowToConnect = ({ of }: { of: Sender }) => {
  const t = useWords()
  const { data, error, refetch } = useCall(componentCalls.connect, { query: { Id: of.Id } })
  if (!data) return error ? <Failure fault={error} retry={() => refetch()} /> : <Skeleton active />
  const token = freshToken(of.Id)
  const signs = of.Signed === 1
  const place = {
    ...{ host: data.Host, port: data.MqttPort, tls: data.Tls === 1, origin: location.origin },
    ...{ token: token ?? t(signs ? 'sender.secretPlace' : 'sender.tokenPlace'), level: of.DeviceLevel, signs: signs ? data.SN : undefined },
    dialled:
      of.Port && of.Registration ? { port: of.Port, transport: of.Transport ?? (1 as const), registration: of.Registration } : undefined,
    station: of.Port && of.MN ? { port: of.Port, transport: of.Transport ?? (1 as const), MN: of.MN } : undefined,
    ...{ group: of.SparkplugGroup ?? '', edge: of.SparkplugNode ?? '' },
  }
  return (
    <div className="stack">
      {of.Language === described ? null : token ? (
        <Alert
          type="warning"
          showIcon
          title={t(signs ? 'sender.onceSecret' : 'sender.once')}
          description={
            <Typography.Text className="mono" copyable={{ text: token }}>
              {token}
            </Typography.Text>
          }
        />
      ) : (
        <p className="soft">{t(signs ? 'sender.secretGone' : 'sender.tokenGone')}</p>
      )}
      {data.MqttPort === null && of.Language !== 3 && !signs && !dialling.includes(of.Language) && (
        <p className="soft">{t(of.Language === sparkplug ? 'sender.noSparkplug' : 'sender.noMqtt')}</p>
      )}
      {/* The checksum of a message is only correct with its password. */}
      {linesOf(of.Language, place)
        .filter(({ name }) => token || name !== 'netcat')
        .map(({ name, text }) => (
          <figure key={name} className="sender-lines">
            <figcaption>{t(`sender.way.${name}`)}</figcaption>
            <Typography.Text copyable={{ text }} className="sender-copy">
              <pre>{text}</pre>
            </Typography.Text>
          </figure>
        ))}
    </div>
  )
}

/** The parser of a JSON sender, or a link to choose one. */
const ItsParser = ({ of }: { of: Sender }) => {
  const t = useWords()
  const { data } = useCall(dataParseCalls.effective, { query: { GatewayId: of.GatewayId }, of: ['dataParse'] })
  if (!data) return null
  return data.DataParseId ? (
    <p>
      {t('sender.parsedBy')} <Link to={`/protocolManagement/dataParse?Id=${data.DataParseId}`}>{data.ParseName}</Link>
      <span className="soft"> · {t(`sender.assignedTo.${data.AssignedTo}`)}</span>
    </p>
  ) : (
    <Alert
      type="info"
      showIcon
      title={t('sender.noParser')}
      description={<Link to="/protocolManagement/dataParse">{t('menu.m10504')}</Link>}
    />
  )
}

const Loaded = ({ row }: { row: Sender }) => {
  const t = useWords()
  // Shown under How to connect.
  const keep = (answer: object) => {
    const { Token, Secret } = answer as { Token?: string; Secret?: string }
    keepToken(row.Id, Secret ?? Token ?? '')
  }
  const acts = useActs(networkComponent, () => row.ComponentName, { onActed: { resetKey: keep, sign: keep } })
  const { data } = useCall(componentCalls.states, { query: { Id: row.Id }, of: [networkComponent.name], refetchInterval: 2000 })
  const state = data?.[0]
  const figure = (name: 'Messages' | 'Readings' | 'Rejected' | 'Unmatched' | 'Connections') => ({
    label: t(`sender.figure.${name}`),
    value: numberText(state?.[name], 0, language()),
  })
  return (
    <article className="page">
      <DetailHead
        name={row.ComponentName}
        state={
          <>
            <State is={row.Status === 1 ? 'normal' : 'offline'}>{t(`networkComponent.Status.${row.Status}`)}</State>
            {row.Status === 1 && <LastMessage of={state} />}
          </>
        }
        belongs={
          <>
            <Link to="/protocolManagement/networkPlugin">{t('menu.m10501')}</Link>
            {' · '}
            {t(`networkComponent.Language.${row.Language}`)}
            {row.Signed === 1 && ` · ${t('networkComponent.Signed.1')}`}
            {row.SparkplugGroup && ` · ${row.SparkplugGroup}/${row.SparkplugNode}`}
            {' · '}
            <Link to={`/projectManagement/gatewayManagement?Id=${row.GatewayId}`}>{String(row.GatewayName ?? '')}</Link>
          </>
        }
        figures={[
          figure('Messages'),
          figure('Readings'),
          figure('Rejected'),
          figure('Unmatched'),
          ...(row.Language === 3 ? [] : [figure('Connections')]),
        ]}
        actions={acts.any && <RowActions actions={acts.actionsOf(row)} title={row.ComponentName} />}
      />
      <p className="faint">{t('sender.sinceStart')}</p>
      {state?.LastFault && <Alert type="warning" showIcon title={t('sender.lastFault')} description={state.LastFault} />}
      {state?.PortFault && <Alert type="error" showIcon title={t(`sender.portFault.${state.PortFault}`, { port: row.Port ?? 0 })} />}
      {!!state?.Strangers && (
        <p className="soft">
          {t(row.Language === described ? 'sender.strangersDialled' : 'sender.strangers', { count: state.Strangers, port: row.Port ?? 0 })}
        </p>
      )}
      {row.Language === 2 && <ItsParser of={row} />}
      {row.Language === 2 && <Replay of={row} />}
      <div className="sender-page">
        <section className="panel stack">
          <h2>{t('sender.howTo')}</h2>
          <HowToConnect of={row} />
        </section>
        <section className="panel stack">
          <h2>{t('sender.seen')}</h2>
          <SeenKeys of={row} state={state} />
        </section>
        <section className="panel stack">
          <h2>{t('sender.messages')}</h2>
          <Messages of={row} state={state} />
        </section>
      </div>
      {acts.dialog}
    </article>
  )
}

const SenderPage = () => {
  const t = useWords()
  const go = useGo()
  const [params] = useSearchParams()
  const { data, error, refetch } = useRow(networkComponent, Number(params.get('Id')) || undefined)
  if (data) return <Loaded key={data.Id} row={data} />
  const back = { label: t('menu.m10501'), run: () => go('/protocolManagement/networkPlugin') }
  return (
    <article className="page">
      {error?.status === 404 ? (
        <EmptyList text={t('detail.gone', { thing: t('networkComponent') })} action={back} />
      ) : error ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : (
        <Skeleton active />
      )}
    </article>
  )
}
export default SenderPage
