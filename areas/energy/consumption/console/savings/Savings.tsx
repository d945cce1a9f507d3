import { Button } from 'antd'
import { useState } from 'react'
import { useCall } from '../../../../../console/kernel/api.ts'
import { useMay } from '../../../../../console/session/session.ts'
import { useWords } from '../../../../../console/words/words.ts'
import { acceptsBaselines, savingsCalls, savingsMenu } from '../../savings.ts'
import { Choose, CircuitChoice, EnergyPage } from '../EnergyPage.tsx'
import { sources, useEnergy } from '../useEnergy.ts'
import { Answered } from '../views/Answered.tsx'
import { BaselineForm } from './BaselineForm.tsx'
import { Baselines } from './Baselines.tsx'
import { SavingsReport } from './SavingsReport.tsx'

const methods = ['baseline', 'lastYear'] as const
type Method = (typeof methods)[number]

/** Whether a measure helped: what was used against what was expected. */
const Savings = () => {
  const t = useWords()
  const energy = useEnergy()
  const mayAccept = useMay(acceptsBaselines)
  const [isAdding, add] = useState(false)
  const { address, put, circuit, period } = energy
  const asked = methods.find((one) => one === address.get('method'))
  const answer = useCall(savingsCalls.report, {
    query: {
      ...{ EnergyInfoId: circuit?.EnergyInfoId ?? 0, DateFrom: period.days.from, DateTo: period.days.to },
      ...(asked ? { Method: asked } : {}),
    },
    of: [...sources, 'energyBaseline'],
    enabled: circuit !== undefined,
  })
  const method: Method = asked ?? (answer.data?.Method === 'baseline' ? 'baseline' : 'lastYear')
  return (
    <EnergyPage
      code={savingsMenu}
      energy={energy}
      actions={circuit && mayAccept && <Button onClick={() => add(true)}>{t('energy.baseline.new')}</Button>}
      tools={<CircuitChoice energy={energy} />}
    >
      <div className="search-bar">
        <Choose<Method>
          value={method}
          choose={(next) => put({ method: next })}
          options={methods.map((value) => ({ value, label: t(`energy.savings.${value}`) }))}
          label={t('energy.savings.method')}
        />
      </div>
      <Answered of={answer}>{(of) => <SavingsReport of={of} name={circuit?.EnergyName ?? ''} />}</Answered>
      {circuit && <Baselines circuit={circuit} />}
      {isAdding && circuit && <BaselineForm circuit={circuit} products={energy.here} close={() => add(false)} />}
    </EnergyPage>
  )
}
export default Savings
