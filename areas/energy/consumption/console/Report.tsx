import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { overview, report } from '../contract.ts'
import { Choose, EnergyPage } from './EnergyPage.tsx'
import { Months } from './months/Months.tsx'
import { CustomTable } from './tables/CustomTable.tsx'
import { ReportTable } from './tables/ReportTable.tsx'
import { useEnergy } from './useEnergy.ts'

const tables = ['circuits', 'regions', 'custom', 'months'] as const
type Of = (typeof tables)[number]

/** Reports of energy: circuits over time or by price level, regions by kind, a table of one's own, and the statements of months. */
const Report = () => {
  const t = useWords()
  const energy = useEnergy()
  const mayChoose = useMay(overview)
  const offered = tables.filter((one) => one !== 'custom' || mayChoose)
  const of = offered.find((one) => one === energy.address.get('table')) ?? 'circuits'
  return (
    <EnergyPage
      code={report}
      energy={energy}
      oneKind={false}
      {...(of === 'months' ? { spans: [] } : {})}
      tools={
        <Choose<Of>
          value={of}
          choose={(next) => energy.put({ table: next === 'circuits' ? undefined : next })}
          options={offered.map((value) => ({ value, label: t(`energy.table.${value}`) }))}
          label={t('energy.table')}
        />
      }
    >
      {of === 'months' ? (
        <Months energy={energy} />
      ) : of === 'custom' ? (
        <CustomTable energy={energy} />
      ) : (
        <ReportTable energy={energy} of={of} />
      )}
    </EnergyPage>
  )
}
export default Report
