import { useCall } from '../../../../console/kernel/api.ts'
import { alarmRuleCalls } from '../contract.ts'

/** Models available to a rule, with their devices, in one project or in all. */
export const useModels = (project?: number) => {
  const { data = [], error } = useCall(alarmRuleCalls.models, {
    query: project ? { ProjectId: project } : {},
    of: ['proModel', 'device', 'gateway', 'project'],
  })
  return { models: data, failed: error?.message, nameOf: (id: number) => data.find((m) => m.Id === id)?.ModelName }
}
