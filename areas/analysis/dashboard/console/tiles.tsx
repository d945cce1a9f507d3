import { useCounts } from '../../../../console/kernel/figures.tsx'
import type { Condition } from '../../../../console/theme/State.tsx'
import { lower, useWords } from '../../../../console/words/words.ts'
import type { Figure } from '../../../../contract/figures.ts'
import { figures } from '../contract.ts'
import { Tile } from './Tile.tsx'

const paths = {
  alarms: '/alarmManagement/alarmInfo',
  gateways: '/projectManagement/gatewayManagement',
  devices: '/projectManagement/deviceManagement',
  projects: '/projectManagement/projectConfig',
}

export const Alarms = () => {
  const t = useWords()
  const { data } = useCounts(figures.alarms, paths.alarms)
  const count = Number(data?.UnacknowledgedCount ?? 0)
  const notes = [
    {
      ...{ key: 'unacknowledged', is: 'warning' as const, count, word: lower(t('alarmInfo.AckStatus.0')) },
      to: `${paths.alarms}?AckStatus=0`,
    },
  ]
  const active = data?.ActiveCount as number | undefined
  const noun = t('dashboard.active', { count: active ?? 0 })
  return <Tile to={paths.alarms} name={t('dashboard.alarms')} noun={noun} count={active} notes={notes} />
}

/** All rows of a list, and how many are in each state. */
const tile =
  (of: Figure, list: string, name: string, conditions: readonly Condition[], noun = name) =>
  () => {
    const t = useWords()
    const { data, items } = useCounts(of, list)
    const notes = items.map(({ value, label, ...item }) => ({ ...item, is: conditions[Number(value)]!, word: lower(label) }))
    const named = { name: t(name), noun: t(noun, { count: data?.TotalCount ?? 0 }) }
    return <Tile to={list} {...named} count={data?.TotalCount} notes={conditions.length ? notes : []} />
  }

export const Handling = tile(figures.alarms, `${paths.alarms}?view=history`, 'dashboard.handling', ['warning', 'normal', 'normal'])
export const Gateways = tile(figures.gateways, paths.gateways, 'menu.m10102', ['offline', 'normal', 'offline'], 'many.gateway')
export const Devices = tile(figures.devices, paths.devices, 'menu.m10103', ['offline', 'normal', 'alarm', 'offline'], 'many.device')
export const Projects = tile(figures.cities, paths.projects, 'menu.m10101', [], 'many.project')
