import { Button } from 'antd'
import { useState } from 'react'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { CircuitChoice, EnergyPage, useEnergy } from '../../consumption/console/EnergyPage.tsx'
import { Answered } from '../../consumption/console/views/Answered.tsx'
import { modelsMenu, powerForecast, trainsModels } from '../contract.ts'
import { Forecast } from './Forecast.tsx'
import { ModelList } from './ModelList.tsx'
import { TrainForm } from './TrainForm.tsx'
import { modelToShow, useModels } from './useModels.ts'
import './models.css'

/** Power forecast of a circuit with its error and models. */
const PowerForecast = () => {
  const t = useWords()
  const energy = useEnergy()
  const { address, put, circuit } = energy
  const mayTrain = useMay(trainsModels)
  const [isTraining, train] = useState(false)
  const answer = useModels(powerForecast, circuit?.EnergyInfoId)
  const shown = (answer.data ?? []).find(({ ModelId }) => ModelId === Number(address.get('model'))) ?? modelToShow(answer.data ?? [])
  return (
    <EnergyPage
      code={modelsMenu}
      energy={energy}
      spans={[]}
      actions={circuit && mayTrain && <Button onClick={() => train(true)}>{t('models.train')}</Button>}
      tools={<CircuitChoice energy={energy} />}
    >
      <Answered of={answer}>
        {(models) => (
          <>
            {shown ? (
              <Forecast of={shown} />
            ) : (
              <EmptyList
                text={t(models.some(({ Status }) => Status === 0) ? 'models.empty.training' : 'models.empty.forecast')}
                action={circuit && mayTrain && !models.length && { label: t('models.train'), run: () => train(true) }}
              />
            )}
            <ModelList of={models} shown={shown?.ModelId} show={(model) => put({ model })} />
          </>
        )}
      </Answered>
      {isTraining && circuit && <TrainForm circuit={circuit} close={() => train(false)} />}
    </EnergyPage>
  )
}
export default PowerForecast
