import './connect.css'
import { Button, Select } from 'antd'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useRow, useRows } from '../../../../console/kernel/api.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { LiveTable } from '../../../analysis/telemetry/console/LiveTable.tsx'
import { useChannelForms } from '../../channels/console/index.ts'
import { netProtocol, serialProtocol } from '../../channels/contract.ts'
import { device as deviceOf } from '../../devices/contract.ts'
import { PointTable } from '../../points/console/PointTable.tsx'
import { PushBar } from '../../points/console/PushBar.tsx'
import { point } from '../../points/contract.ts'
import { project as projectOf } from '../../projects/contract.ts'
import { gateway as gatewayOf } from '../contract.ts'
import { Add, Choice, GatewayStep, ModelOffer, online, ProjectStep, Step } from './ConnectSteps.tsx'

/** Remembers the last step of the guide. */
const left = 'penstock.connect'
type Chosen = { project?: number; gateway?: number; channel?: string; device?: number }

/** The choices so far, in the URL and in local storage to resume from. */
const useChosen = () => {
  const [params, setParams] = useSearchParams()
  const read = (from: URLSearchParams): Chosen => {
    const ids = (['project', 'gateway', 'device'] as const).flatMap((name) => {
      const id = Number(from.get(name))
      return id ? [[name, id] as const] : []
    })
    const channel = from.get('channel')
    return { ...Object.fromEntries(ids), ...(channel ? { channel } : {}) }
  }
  const write = (chosen: Chosen) => {
    const text = Object.entries(chosen).map(([name, value]) => [name, String(value)])
    localStorage.setItem(left, new URLSearchParams(text).toString())
    setParams({ connect: '', ...Object.fromEntries(text) }, { replace: true })
  }
  useEffect(() => {
    const kept = localStorage.getItem(left)
    if (kept && !params.has('project') && !params.has('gateway'))
      setParams({ connect: '', ...Object.fromEntries(new URLSearchParams(kept)) }, { replace: true })
  }, [params, setParams])
  return [read(params), write] as const
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
  const [{ project: chosenProject, gateway: gatewayId, channel, device: deviceId }, choose] = useChosen()
  const { data: gateway } = useRow(gatewayOf, gatewayId)
  const projectId = gateway?.ProjectId ?? chosenProject
  const { data: project } = useRow(projectOf, projectId)
  const { data: device } = useRow(deviceOf, deviceId)
  const channels = useChannels(gatewayId)
  const forms = useChannelForms(gatewayId)
  const [freshProject, setFreshProject] = useState<number>()
  const pickProject = (project: number, isNew?: true) => {
    choose({ project })
    if (isNew) setFreshProject(project)
  }
  const pickGateway = (gateway: number) => choose({ project: projectId!, gateway })
  const onGateway = { ...(projectId ? { project: projectId } : {}), gateway: gatewayId! }
  const pickChannel = (next: string) => choose({ ...onGateway, channel: next })
  const [next, setNext] = useState<string>()
  const added = (channel: string) => {
    pickChannel(channel)
    setNext(channel)
  }
  const pickDevice = (next: number) => choose({ ...onGateway, ...(channel ? { channel } : {}), device: next })
  const only = channels?.length === 1 ? channels[0]!.value : undefined
  useEffect(() => {
    if (only && !channel) pickChannel(only)
  })
  const { data: points } = useRows(point, { PageIndex: 1, PageSize: 1, DeviceId: deviceId }, { enabled: deviceId !== undefined })
  const count = device ? (points?.TotalCount ?? 0) : 0
  const [kind, channelId] = channel?.split(':') ?? []
  const onIt: Record<string, number> = gatewayId ? { GatewayId: gatewayId } : {}
  const [net, serial] = kind === 'net' ? [Number(channelId), null] : [null, Number(channelId)]
  const fixed = kind ? { ...onIt, CommType: kind === 'net' ? 0 : 1, NetProtocolId: net, SerialProtocolId: serial } : onIt
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
        <Step at={1} title={t('project')} done={project?.ProjectName ?? false} open>
          <ProjectStep id={projectId} choose={pickProject} />
        </Step>
        <Step
          at={2}
          title={t('gateway')}
          done={isOnline && t('connect.online', { name: gateway.GatewayName })}
          open={project !== undefined}
        >
          {projectId && (
            <GatewayStep key={projectId} id={gatewayId} projectId={projectId} begin={freshProject === projectId} choose={pickGateway} />
          )}
        </Step>
        <Step at={3} title={t('connect.channel')} done={chosenChannel?.label ?? false} open={gateway !== undefined}>
          <div className="connect-choice">
            {(channels?.length ?? 0) > 0 && (
              <Select
                value={channel ?? null}
                options={channels ?? []}
                onChange={(next) => next && pickChannel(next)}
                aria-label={t('connect.channel')}
                placeholder={t('connect.choose')}
                style={{ width: 320, maxWidth: '100%' }}
              />
            )}
            <Add of={netProtocol} {...forms.net} fixed={onIt} plain={Boolean(channel)} onAdded={({ Id }) => added(`net:${Id}`)} />
            <Add of={serialProtocol} {...forms.serial} fixed={onIt} plain onAdded={({ Id }) => added(`serial:${Id}`)} />
          </div>
        </Step>
        <Step at={4} title={t('device')} done={device?.DeviceName ?? false} open={chosenChannel !== undefined}>
          <div className="connect-choice">
            <Add
              key={next}
              of={deviceOf}
              fixed={fixed}
              begin={next !== undefined}
              plain={deviceId !== undefined}
              onAdded={({ Id }) => pickDevice(Id)}
            />
            <Choice to={deviceOf} value={deviceId} choose={pickDevice} where={{ GatewayId: gatewayId }} />
          </div>
        </Step>
        <Step at={5} title={t('connect.points')} done={count > 0 && t('connect.count', { count })} open={device !== undefined}>
          {hasValues ? (
            <Link to={`/projectManagement/devicePointList?Id=${deviceId}&tab=points`}>{t('why.do.points')}</Link>
          ) : (
            device && (
              <>
                <ModelOffer device={device} />
                <PointTable key={device.Id} deviceId={device.Id} />
              </>
            )
          )}
        </Step>
        <Step at={6} title={t('connect.push')} done={isPushed && t('connect.pushed')} open={count > 0}>
          {!isOnline && <p role="status">{t('connect.waitPush')}</p>}
          {gatewayId && <PushBar gatewayId={gatewayId} />}
        </Step>
        <Step at={7} title={t('connect.values')} done={hasValues && t('connect.done')} open={isPushed}>
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
