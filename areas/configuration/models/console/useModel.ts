import { useQuery } from '@tanstack/react-query'
import type { Shown } from '../../../../console/kernel/api.ts'
import { type Fault, request } from '../../../../console/session/request.ts'
import { modelPara, proModel } from '../contract.ts'

/** A model. Refetched when its points change, because they count as edits. */
export const useModel = (id: number | undefined) =>
  useQuery<Shown<typeof proModel>, Fault>({
    queryKey: [[proModel.name, modelPara.name], 'model', id],
    queryFn: () => request('GET', `${proModel.path}?Id=${id}`),
    enabled: id !== undefined,
  })
