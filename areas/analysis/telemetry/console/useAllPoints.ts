import { useQuery } from '@tanstack/react-query'
import { type Fault, queryString, requestCounted } from '../../../../console/session/request.ts'
import { type ParaInfo, telemetryCalls } from '../../../../contract/telemetry.ts'

type Listed = { points: ParaInfo[]; total: number }

/** Every point of a project, or of all; `total` is larger where the server has cut the list. */
export const useAllPoints = (projectId: number | undefined, enabled = true) =>
  useQuery<Listed, Fault>({
    queryKey: [['point', 'device'], 'all', projectId],
    queryFn: async () => {
      const { method, path } = telemetryCalls.allParaInfo
      const [points, total] = await requestCounted<ParaInfo[]>(method, `${path}${queryString({ ProjectId: projectId })}`)
      return { points, total: total ?? points.length }
    },
    enabled,
  })
