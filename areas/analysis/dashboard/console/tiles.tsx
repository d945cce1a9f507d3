import { useCall } from '../../../../console/kernel/api.ts'
import type { Condition } from '../../../../console/theme/State.tsx'
import { lower, useWords } from '../../../../console/words/words.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { dashboardCalls } from '../contract.ts'
import { Tile } from './Tile.tsx'

const paths = {
  alarms: '/alarmManagement/alarmInfo',
  gateways: '/projectManagement/gatewayManagement',
  devices: '/projectManagement/deviceManagement',
  projects: '/projectManagement/projectConfig',
}
const gatewayConditions: Condition[] = ['offline', 'normal', 'offline']
const deviceConditions: Condition[] = ['offline', 'normal', 'alarm', 'offline']

export const Alarms = () => {
  const t = useWords()
  const { data } = useCall(dashboardCalls.alarmsByStatus, { of: [alarmInfo.name] })
  const notes = [
    {
      key: 'unacknowledged',
      is: 'warning' as const,
      count: data?.UnacknowledgedCount ?? 0,
      word: lower(t('alarmInfo.AckStatus.0')),
      to: `${paths.alarms}?AckStatus=0`,
    },
  ]
  return <Tile to={paths.alarms} label={t('dashboard.alarms')} count={data?.ActiveCount} notes={notes} />
}

export const Handling = () => {
  const t = useWords()
  const { data } = useCall(dashboardCalls.alarmsByStatus, { of: [alarmInfo.name] })
  const conditions: Condition[] = ['warning', 'normal', 'normal']
  const notes = (data?.Items ?? []).map(({ Status, Count }) => ({
    key: String(Status),
    is: conditions[Status]!,
    count: Count,
    word: lower(t(`alarmInfo.HandleStatus.${Status}`)),
    to: `${paths.alarms}?view=history&HandleStatus=${Status}`,
  }))
  return <Tile to={`${paths.alarms}?view=history`} label={t('dashboard.handling')} count={data?.TotalCount} notes={notes} />
}

export const Gateways = () => {
  const t = useWords()
  const { data } = useCall(dashboardCalls.gateways, { of: [gateway.name] })
  const notes = (data?.Items ?? []).map(({ Status, Count }) => ({
    key: String(Status),
    is: gatewayConditions[Status]!,
    count: Count,
    word: lower(t(`gateway.OnlineStatus.${Status}`)),
    to: `${paths.gateways}?OnlineStatus=${Status}`,
  }))
  return <Tile to={paths.gateways} label={t('menu.m10102')} count={data?.TotalCount} notes={notes} />
}

export const Devices = () => {
  const t = useWords()
  const { data } = useCall(dashboardCalls.devices, { of: [device.name] })
  const notes = (data?.Items ?? []).map(({ Status, Count }) => ({
    key: String(Status),
    is: deviceConditions[Status]!,
    count: Count,
    word: lower(t(`device.Status.${Status}`)),
    to: `${paths.devices}?Status=${Status}`,
  }))
  return <Tile to={paths.devices} label={t('menu.m10103')} count={data?.TotalCount} notes={notes} />
}

export const Projects = () => {
  const t = useWords()
  const { data } = useCall(dashboardCalls.projectsByCity, { of: [project.name] })
  return <Tile to={paths.projects} label={t('menu.m10101')} count={data?.TotalCount} />
}
