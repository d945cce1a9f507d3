import { useCall } from '../../../../console/kernel/api.ts'
import { alarmRuleCalls } from '../contract.ts'

/** Models that a rule may mean, with their devices: of a project, or of each. */
export const useModels = (project?: number) => {
  const { data = [], error } = useCall(alarmRuleCalls.models, {
    query: project ? { ProjectId: project } : {},
    of: ['proModel', 'device', 'gateway', 'project'],
  })
  return { models: data, failed: error?.message, nameOf: (id: number) => data.find((m) => m.Id === id)?.ModelName }
}
