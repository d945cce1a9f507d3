import { App, Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Shown, useCommand } from '../../../../console/kernel/api.ts'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { useSession } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { gatewayCalls } from '../../gateways/contract.ts'
import PushDialog from '../../points/console/PushDialog.tsx'
import { device, type deviceCalls } from '../contract.ts'
import { refineDevice } from './refineDevice.ts'

export type Stage = Answer<typeof deviceCalls.whyNoData>[number]
type Step = 'push' | 'sync' | 'gateway' | 'channel' | 'chooseChannel' | 'rejected' | 'points' | 'limits'

/** The permission for each step: to open its screen or press its button. */
const needs: Record<Step, string> = {
  push: 'm10102.push',
  sync: 'm10102.command',
  gateway: 'm10102',
  channel: 'm10102',
  chooseChannel: 'm10103.edit',
  rejected: 'm10102',
  points: 'm10104',
  limits: 'm10104',
}
/** Keyed by stage and reason. A stage alone covers all other reasons. */
const steps: Record<string, Step> = {
  'gateway.neverConnected': 'gateway',
  'gateway.offline': 'gateway',
  'config.noPoints': 'points',
  'config.failed': 'push',
  'config.neverPushed': 'push',
  'config.changed': 'push',
  'transport.noChannel': 'chooseChannel',
  'transport.neverHeard': 'push',
  'transport.offline': 'channel',
  'transport.noAnswer': 'channel',
  'transport.errors': 'channel',
  'parse.malformed': 'rejected',
  'parse.unknownField': 'rejected',
  'parse.tooLarge': 'rejected',
  'parse.unknownPoint': 'push',
  'parse.foreignPoint': 'push',
  'parse.notANumber': 'points',
  'parse.tooOld': 'sync',
  'parse.tooFarAhead': 'sync',
  'store.noPoints': 'points',
  'store.liveOnly': 'points',
  'store.never': 'points',
  'store.stale': 'points',
  'rule.badQuality': 'points',
  'rule.watched': 'limits',
  'rule.noLimits': 'limits',
}

type Props = { row: Shown<typeof device>; stage: Stage; isFirst: boolean }
/** A button for the advice of a stage, if the person may follow it. */
export const WhyAction = ({ row, stage: { Stage, Reason }, isFirst }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const [isOpen, setOpen] = useState(false)
  const timeSync = useCommand(gatewayCalls.timeSync, ['gateway', 'command', 'device'])
  const step = steps[`${Stage}.${Reason}`]
  const may = useSession((s) => step !== undefined && Boolean(s.session?.codes.has(needs[step])))
  if (!step || !may) return null
  const gateway = `/projectManagement/gatewayPreView?Id=${row.GatewayId}`
  const links: { [S in Step]?: string } = {
    gateway,
    channel: `${gateway}&tab=channels`,
    rejected: `${gateway}&tab=rejected`,
    points: `/projectManagement/devicePointList?Id=${row.Id}&tab=points`,
    limits: `/projectManagement/devicePointList?Id=${row.Id}&tab=points`,
  }
  const sync = () =>
    timeSync.mutate(
      { body: { Id: row.GatewayId } },
      { onSuccess: ({ Code, Msg }) => void (Code === 0 ? message.success(t('gateway.synced')) : message.error(Msg, 4)) },
    )
  const button = (
    <Button
      type={isFirst ? 'primary' : 'default'}
      loading={timeSync.isPending}
      {...(links[step] ? {} : { onClick: () => (step === 'sync' ? sync() : setOpen(true)) })}
    >
      {t(`why.do.${step}`)}
    </Button>
  )
  const close = () => setOpen(false)
  return (
    <>
      {links[step] ? <Link to={links[step]}>{button}</Link> : button}
      {isOpen && step === 'push' && <PushDialog row={{ Id: row.GatewayId, GatewayName: String(row.GatewayName) }} now close={close} />}
      {isOpen && step === 'chooseChannel' && <ResourceForm of={device} row={row} refine={refineDevice} close={close} />}
    </>
  )
}
