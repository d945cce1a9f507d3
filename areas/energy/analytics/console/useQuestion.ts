import { fullName } from '../../../../console/chart/names.ts'
import { wallToEpoch } from '../../../../console/words/formats.ts'
import { dayNumber, dayOf } from '../../../../contract/days.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { useChosenPoints } from '../../../analysis/telemetry/console/index.ts'
import { type Energy, useEnergy } from '../../consumption/console/EnergyPage.tsx'
import { mostFeatures } from '../contract.ts'

export const questions = ['distribution', 'drivers', 'tree', 'trial', 'together'] as const
export type Question = (typeof questions)[number]

/** The name of `e12` or `p34`; its Id if it was removed. */
export const nameOfKey = (key: string, { here }: Pick<Energy, 'here'>, points: readonly ParaInfo[]) => {
  const id = Number(key.slice(1))
  if (key.startsWith('e')) return here.find(({ EnergyInfoId }) => EnergyInfoId === id)?.EnergyName ?? key
  const point = points.find(({ ParaId }) => ParaId === id)
  return point ? fullName(point) : key
}

/** What is asked, all of it in the address. */
export const useQuestion = () => {
  const energy = useEnergy()
  const { address, put, period, here, circuit } = energy
  const chosen = useChosenPoints(mostFeatures)
  const question = questions.find((one) => one === address.get('q')) ?? 'distribution'
  const targetPoint = Number(address.get('target')) || undefined
  const known = new Set(here.map(({ EnergyInfoId }) => EnergyInfoId))
  const text = address.get('circuits')
  // Defaults to the other circuits of the project.
  const circuits = (text === null ? [...known].slice(0, 6) : text.split(',').map(Number)).filter(
    (id) => known.has(id) && (question === 'together' || targetPoint !== undefined || id !== circuit?.EnergyInfoId),
  )
  const threshold = address.get('above') === null ? undefined : Number(address.get('above'))
  const range = {
    Start: wallToEpoch(`${period.days.from} 00:00:00`),
    End: wallToEpoch(`${dayOf(dayNumber(period.days.to) + 1)} 00:00:00`),
  }
  const one = targetPoint ? { ParaId: targetPoint } : circuit && { EnergyInfoId: circuit.EnergyInfoId }
  const target = targetPoint ? { TargetParaId: targetPoint } : { TargetEnergyInfoId: circuit?.EnergyInfoId ?? 0 }
  const points = chosen.ids.filter((id) => question === 'together' || id !== targetPoint)
  const features = {
    ...(circuits.length ? { EnergyInfoIds: circuits.join() } : {}),
    ...(points.length ? { ParaIds: points.join() } : {}),
  }
  return {
    ...{ energy, put, question, targetPoint, circuits, chosen, threshold, range, one, target, features },
    hasFeatures: circuits.length + points.length > 0,
    nameOf: (key: string) => nameOfKey(key, energy, chosen.points),
  }
}
export type Asked = ReturnType<typeof useQuestion>
