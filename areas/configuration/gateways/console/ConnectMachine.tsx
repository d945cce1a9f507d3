import './connect.css'
import { CheckCircleFilled, PlusOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useRow, useRows } from '../../../../console/kernel/api.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { type FormProps, ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { lower, useWords } from '../../../../console/words/words.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { LiveTable } from '../../../analysis/telemetry/console/LiveTable.tsx'
import { netProtocol, serialProtocol } from '../../channels/contract.ts'
import { device as deviceOf } from '../../devices/contract.ts'
import { PointTable } from '../../points/console/PointTable.tsx'
import { PushBar } from '../../points/console/PushBar.tsx'
import { point } from '../../points/contract.ts'
import { project } from '../../projects/contract.ts'
import { gateway as gatewayOf } from '../contract.ts'
import Enrolment from './Enrolment.tsx'

const online = 1
/** Remembers the last step of the guide. */
const left = 'penstock.connect'
type Chosen = { gateway?: number; channel?: string; device?: number }

/** The choices so far, in the URL and in local storage to resume from. */
const useChosen = () => {
  const [params, setParams] = useSearchParams()
  const read = (from: URLSearchParams): Chosen => {
    const [gateway, channel, device] = [Number(from.get('gateway')), from.get('channel'), Number(from.get('device'))]
    return { ...(gateway ? { gateway } : {}), ...(channel ? { channel } : {}), ...(device ? { device } : {}) }
  }
  const write = (chosen: Chosen) => {
    const text = Object.entries(chosen).map(([name, value]) => [name, String(value)])
    localStorage.setItem(left, new URLSearchParams(text).toString())
    setParams({ connect: '', ...Object.fromEntries(text) }, { replace: true })
  }
  useEffect(() => {
    const kept = localStorage.getItem(left)
    if (kept && !params.has('gateway')) setParams({ connect: '', ...Object.fromEntries(new URLSearchParams(kept)) }, { replace: true })
  }, [params, setParams])
  return [read(params), write] as const
}

/** The rows to choose from. A single row is preselected. */
const useChoices = (r: Resource, where: Record<string, unknown>, enabled: boolean, chosen: boolean, choose: (id: number) => void) => {
  const { data, isPlaceholderData } = useRows(r, { PageIndex: 1, PageSize: 50, ...where }, { enabled })
  const only = enabled && !isPlaceholderData && data?.TotalCount === 1 ? data.Items[0]!.Id : undefined
  useEffect(() => {
    if (only && !chosen) choose(only)
  })
  return enabled && !isPlaceholderData ? data : undefined
}

type StepProps = { at: number; title: string; done: string | false; open: boolean; children: ReactNode }
const Step = ({ at, title, done, open, children }: StepProps) => (
  <li className={`panel connect-step ${open || done ? '' : 'connect-later'}`} aria-current={open && !done ? 'step' : undefined}>
    <h2>
      {done ? <CheckCircleFilled className="connect-done" aria-hidden /> : <span className="connect-at">{at}</span>} {title}
      {done && <span className="soft connect-what">{done}</span>}
    </h2>
    {open && children}
  </li>
)

type AddProps = Pick<FormProps, 'of' | 'fixed' | 'onAdded' | 'refine'> & { plain?: boolean; begin?: boolean }
/** A button that opens the form for a new record. `begin` opens it right away, after the previous step. */
const Add = ({ plain = false, begin = false, ...form }: AddProps) => {
  const t = useWords()
  const [isOpen, setOpen] = useState(begin)
  const may = useMay(`${form.of.permission}.add`)
  if (!may) return null
  return (
    <>
      <Button type={plain ? 'default' : 'primary'} icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        {t('list.add', { thing: lower(t(form.of.name)) })}
      </Button>
      {isOpen && <ResourceForm {...form} close={() => setOpen(false)} />}
    </>
  )
}

const GatewayStep = ({ id, choose }: { id: number | undefined; choose: (id: number) => void }) => {
  const t = useWords()
  const mayReset = useMay('m10102.resetKey')
  const [fresh, setFresh] = useState<number>()
  const [isAsked, ask] = useState(false)
  const [hasAdded, setAdded] = useState(false)
  const projects = useRows(project, { PageIndex: 1, PageSize: 2 }).data
  const found = useChoices(gatewayOf, {}, true, id !== undefined, choose)
  const { data: gateway } = useRow(gatewayOf, id)
  const hasProject = (projects?.TotalCount ?? 0) > 0
  return (
    <>
      {projects && !hasProject && <p>{t('connect.project')}</p>}
      <div className="connect-choice">
        {projects && !hasProject && <Add of={project} onAdded={() => setAdded(true)} />}
        {(found?.TotalCount ?? 0) > 0 && (
          <RefInput
            to={gatewayOf}
            value={id ?? null}
            onChange={(next) => next && choose(next)}
            allowClear={false}
            aria-label={t('gateway')}
            placeholder={t('connect.choose')}
            style={{ width: 320 }}
          />
        )}
        {hasProject && (
          <Add
            of={gatewayOf}
            plain={id !== undefined}
            begin={hasAdded}
            onAdded={({ Id }) => {
              choose(Id)
              setFresh(Id)
            }}
          />
        )}
      </div>
      {gateway && gateway.OnlineStatus !== online && (
        <p className="connect-wait" role="status">
          {t('connect.waitGateway', { name: gateway.GatewayName })}{' '}
          {mayReset && (
            <Button type="link" size="small" onClick={() => ask(true)}>
              {t('connect.key')}
            </Button>
          )}
        </p>
      )}
      {fresh && mayReset && <Enrolment row={{ Id: fresh }} fresh close={() => setFresh(undefined)} />}
      {isAsked && id && <Enrolment row={{ Id: id }} close={() => ask(false)} />}
    </>
  )
}

/** Channels of both kinds, as `net:7`. */
const useChannels = (gateway: number | undefined) => {
  const where = { PageIndex: 1, PageSize: 50, GatewayId: gateway }
  const lists = [
    useRows(netProtocol, where, { enabled: gateway !== undefined }),
    useRows(serialProtocol, where, { enabled: gateway !== undefined }),
  ]
  if (!gateway || lists.some(({ data, isPlaceholderData }) => !data || isPlaceholderData)) return undefined
  return lists.flatMap(({ data }, at) =>
    data!.Items.map((row) => ({ value: `${at ? 'serial' : 'net'}:${row.Id}`, label: String(row.ProtocolName) })),
  )
}

/** Guides from a gateway to live values on one screen. Each step shows when it is complete. */
const ConnectMachine = () => {
  const t = useWords()
  const [{ gateway: gatewayId, channel, device: deviceId }, choose] = useChosen()
  const { data: gateway } = useRow(gatewayOf, gatewayId)
  const { data: device } = useRow(deviceOf, deviceId)
  const channels = useChannels(gatewayId)
  const pickGateway = (gateway: number) => choose({ gateway })
  const pickChannel = (next: string) => choose({ gateway: gatewayId!, channel: next })
  const [next, setNext] = useState<string>()
  const added = (channel: string) => {
    pickChannel(channel)
    setNext(channel)
  }
  const pickDevice = (next: number) => choose({ gateway: gatewayId!, ...(channel ? { channel } : {}), device: next })
  const only = channels?.length === 1 ? channels[0]!.value : undefined
  useEffect(() => {
    if (only && !channel) pickChannel(only)
  })
  const { data: points } = useRows(point, { PageIndex: 1, PageSize: 1, DeviceId: deviceId }, { enabled: deviceId !== undefined })
  const count = device ? (points?.TotalCount ?? 0) : 0
  const [kind, channelId] = channel?.split(':') ?? []
  const fixed: Record<string, number> = {
    ...(gatewayId ? { GatewayId: gatewayId } : {}),
    ...(kind ? { CommType: kind === 'net' ? 0 : 1, [kind === 'net' ? 'NetProtocolId' : 'SerialProtocolId']: Number(channelId) } : {}),
  }
  const isOnline = gateway?.OnlineStatus === online
  const isPushed = count > 0 && gateway?.ConfigStatus === 0
  const hasValues = isPushed && Boolean(device?.LastDataTime)
  const chosenChannel = channels?.find(({ value }) => value === channel)
  return (
    <Page
      title={t('connect.title')}
      actions={
        <Button
          onClick={() => {
            localStorage.removeItem(left)
            choose({})
          }}
        >
          {t('connect.again')}
        </Button>
      }
    >
      <p className="soft">{t('connect.text')}</p>
      <ol className="connect">
        <Step at={1} title={t('gateway')} done={isOnline && t('connect.online', { name: gateway.GatewayName })} open>
          <GatewayStep id={gatewayId} choose={pickGateway} />
        </Step>
        <Step at={2} title={t('connect.channel')} done={chosenChannel?.label ?? false} open={gateway !== undefined}>
          <div className="connect-choice">
            {(channels?.length ?? 0) > 0 && (
              <Select
                value={channel ?? null}
                options={channels ?? []}
                onChange={(next) => next && pickChannel(next)}
                aria-label={t('connect.channel')}
                placeholder={t('connect.choose')}
                style={{ width: 320 }}
              />
            )}
            <Add of={netProtocol} fixed={fixed} plain={Boolean(channel)} onAdded={({ Id }) => added(`net:${Id}`)} />
            <Add of={serialProtocol} fixed={fixed} plain onAdded={({ Id }) => added(`serial:${Id}`)} />
          </div>
        </Step>
        <Step at={3} title={t('device')} done={device?.DeviceName ?? false} open={chosenChannel !== undefined}>
          <div className="connect-choice">
            <Add
              key={next}
              of={deviceOf}
              fixed={fixed}
              begin={next !== undefined}
              plain={deviceId !== undefined}
              onAdded={({ Id }) => pickDevice(Id)}
            />
            <RefInput
              to={deviceOf}
              value={deviceId ?? null}
              onChange={(next) => next && pickDevice(next)}
              where={{ GatewayId: gatewayId }}
              allowClear={false}
              aria-label={t('device')}
              placeholder={t('connect.choose')}
              style={{ width: 320 }}
            />
          </div>
        </Step>
        <Step at={4} title={t('connect.points')} done={count > 0 && t('connect.count', { count })} open={device !== undefined}>
          {hasValues ? (
            <Link to={`/projectManagement/devicePointList?Id=${deviceId}&tab=points`}>{t('why.do.points')}</Link>
          ) : (
            device && <PointTable key={device.Id} deviceId={device.Id} />
          )}
        </Step>
        <Step at={5} title={t('connect.push')} done={isPushed && t('connect.pushed')} open={count > 0}>
          {!isOnline && <p role="status">{t('connect.waitPush')}</p>}
          {gatewayId && <PushBar gatewayId={gatewayId} />}
        </Step>
        <Step at={6} title={t('connect.values')} done={hasValues && t('connect.done')} open={isPushed}>
          {!hasValues && (
            <p role="status">
              {t('connect.waitValues')} <Link to={`/projectManagement/devicePointList?Id=${deviceId}&tab=why`}>{t('device.tab.why')}</Link>
            </p>
          )}
          {deviceId && <LiveTable deviceIds={[deviceId]} />}
        </Step>
      </ol>
    </Page>
  )
}
export default ConnectMachine
