import { App } from 'antd'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type Model, type ModelType, modelCalls, modelStatus } from '../contract.ts'

/** Query dependencies of models. Finished tasks change models. */
export const modelSources = ['predictiveModel', 'projectTask']

const trainingMs = 2000
export const useModels = (type: ModelType, circuit?: number) => {
  const asked = { query: { Type: type, ...(circuit ? { EnergyInfoId: circuit } : {}) }, of: modelSources }
  const answer = useCall(modelCalls.models, asked)
  // Users without access to tasks get no task events, so poll.
  const isTraining = (answer.data ?? []).some(({ Status }) => Status === modelStatus.training)
  useCall(modelCalls.models, { ...asked, enabled: isTraining, refetchInterval: trainingMs })
  return answer
}

/** The published model, or the latest trained one. */
export const modelToShow = (models: readonly Model[]) =>
  models.find(({ Status }) => Status === modelStatus.published) ?? models.find(({ Status }) => Status === modelStatus.trained)

/** Actions on a model. */
export const useModelActs = () => {
  const t = useWords()
  const confirm = useConfirm()
  const { message } = App.useApp()
  const stop = useCommand(modelCalls.stop, modelSources)
  const publish = useCommand(modelCalls.publish, modelSources)
  const remove = useCommand(modelCalls.remove, modelSources)
  const say = (key: string) => ({ onSuccess: () => void message.success(t(key)) })
  return {
    stop: ({ ModelId }: Model) => stop.mutate({ body: { ModelId } }),
    publish: ({ ModelId }: Model) => publish.mutate({ body: { ModelId } }, say('models.published')),
    remove: ({ ModelId, Name }: Model) =>
      confirm({
        title: t('list.removeOne', { title: Name }),
        content: t('models.remove.text'),
        run: () => remove.mutateAsync({ body: { ModelId } }),
      }),
  }
}
