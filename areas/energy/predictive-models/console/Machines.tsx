import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { useWords } from '../../../../console/words/words.ts'
import { Answered } from '../../consumption/console/views/Answered.tsx'
import { type bearingHealth, modelStatus, type motorHealth, trainsModels } from '../contract.ts'
import { Health } from './Health.tsx'
import { MachineForm } from './MachineForm.tsx'
import { ModelList } from './ModelList.tsx'
import { modelToShow, useModels } from './useModels.ts'
import './models.css'

type Props = { code: string; type: typeof bearingHealth | typeof motorHealth; children?: ReactNode }
/** Health of machines: the score, the rule that fired, and the models behind it. */
export const Machines = ({ code, type, children }: Props) => {
  const t = useWords()
  const [address, put] = useAddress()
  const mayTrain = useMay(trainsModels)
  const [isAdding, add] = useState(false)
  const answer = useModels(type)
  const shown = (answer.data ?? []).find(({ ModelId }) => ModelId === Number(address.get('model'))) ?? modelToShow(answer.data ?? [])
  return (
    <Page title={t(`menu.${code}`)} actions={mayTrain && <Button onClick={() => add(true)}>{t('models.machine.new')}</Button>}>
      <Answered of={answer}>
        {(models) => (
          <>
            {shown ? (
              <Health of={shown} />
            ) : (
              <EmptyList
                text={t(models.some(({ Status }) => Status === modelStatus.training) ? 'models.empty.training' : 'models.empty.machine')}
                action={mayTrain && !models.length && { label: t('models.machine.new'), run: () => add(true) }}
              />
            )}
            <ModelList of={models} shown={shown?.ModelId} show={(model) => put({ model })} />
          </>
        )}
      </Answered>
      {children}
      {isAdding && <MachineForm type={type} close={() => add(false)} />}
    </Page>
  )
}
