import { figures } from '../../areas/analysis/dashboard/contract.ts'
import { CountRows, DayColumns } from '../../console/kernel/figures.tsx'
import { useWords } from '../../console/words/words.ts'

export const Counts = () => {
  const t = useWords()
  return <CountRows of={figures.gateways} list="/projectManagement/gatewayManagement" label={t('menu.m10102')} empty={t('empty.gateway')} />
}

export const Days = () => {
  const t = useWords()
  const [label, list] = [t('dashboard.days'), '/alarmManagement/alarmInfo?view=history']
  return <DayColumns of={figures.alarmDays} list={list} label={label} title={(day) => t('dashboard.oneDay', day)} />
}
