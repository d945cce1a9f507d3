import type { Shown } from '../../../../console/kernel/api.ts'
import { Checklist } from '../../job-sheets/console/Checklist.tsx'
import type { Item } from '../../job-sheets/contract.ts'
import type { mtnKnowledgeBase } from '../contract.ts'

const ChecklistTab = ({ row }: { row: Shown<typeof mtnKnowledgeBase> }) => <Checklist items={(row.Items ?? []) as Item[]} results={[]} />
export default ChecklistTab
