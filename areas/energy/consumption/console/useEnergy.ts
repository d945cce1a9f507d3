import { useMemo } from 'react'
import { useCall, useRows } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import type { Answer } from '../../../../contract/call.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { energyCalls, seesEnergyCost } from '../contract.ts'
import { usePeriod } from './usePeriod.ts'

export type CircuitInfo = Answer<typeof energyCalls.infoList>[number]

/** What figures of energy depend on. */
export const sources = ['energyInfo', 'energySource', 'energyInfoData', 'energyTariff', 'electricityPriceStandard', 'energyFactor', 'point']
/** What statements of months depend on, beside figures. */
export const monthSources = [...sources, 'energyMonth', 'meterEvent']
/** Readings come in while somebody looks at today. */
export const freshMs = 60_000

const none: CircuitInfo[] = []

/** What every screen of energy begins with, all of it in the address: project, kind, circuit and period. */
export const useEnergy = () => {
  const [address, put] = useAddress()
  const period = usePeriod()
  const maySeeCost = useMay(seesEnergyCost)
  // Users with access to several companies start with one project. Users who cannot list projects get those of their circuits.
  const projects = useRows(project, { PageIndex: 1, PageSize: 1 })
  const asked = Number(address.get('ProjectId')) || projects.data?.Items[0]?.Id
  const answer = useCall(energyCalls.infoList, {
    query: asked ? { ProjectId: asked } : {},
    of: sources,
    enabled: asked !== undefined || !projects.isPending,
  })
  const all = answer.data ?? none
  const projectId = asked ?? all[0]?.ProjectId
  const isOneProject = projects.data?.TotalCount === 1
  const here = useMemo(() => all.filter(({ ProjectId }) => ProjectId === projectId), [all, projectId])
  const kinds = useMemo(() => [...new Set(here.map(({ EnergyType }) => EnergyType))].sort((a, b) => a - b), [here])
  const askedKind = Number(address.get('kind'))
  const kind = kinds.includes(askedKind) ? askedKind : kinds[0]
  const circuits = useMemo(() => here.filter(({ EnergyType }) => EnergyType === kind), [here, kind])
  const node = circuits.find(({ EnergyInfoId }) => EnergyInfoId === Number(address.get('node')))
  /** What is looked at: the chosen circuit, otherwise the first at the top. */
  const circuit = node ?? circuits.find(({ ParentId }) => !circuits.some(({ EnergyInfoId }) => EnergyInfoId === ParentId)) ?? circuits[0]
  return { address, put, period, maySeeCost, answer, isOneProject, projectId, kinds, kind, here, circuits, node, circuit }
}
export type Energy = ReturnType<typeof useEnergy>
