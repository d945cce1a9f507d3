import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { dayMs } from '../../../../contract/days.ts'
import { electricityPriceStandard } from '../contract.ts'
import { below, inputs, refine } from './tariffLooks.tsx'

/** Later prices of a tariff, beginning with those of now. */
export default function NewVersion({ row, close }: DialogProps<typeof electricityPriceStandard>) {
  const t = useWords()
  const day = new Date(Date.now() + dayMs).toISOString().slice(0, 10)
  const name = t('tariff.versionName', { name: row.VersionOfName ?? row.StandardName, day })
  return (
    <ResourceForm
      of={electricityPriceStandard}
      fixed={{ VersionOfId: row.VersionOfId ?? row.Id }}
      begin={{ ...row, StandardName: name.slice(0, 60), ValidFrom: day, ValidTo: null }}
      {...{ inputs, refine, below, close }}
    />
  )
}
