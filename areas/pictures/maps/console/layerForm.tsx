import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import { layerKinds } from '../contract.ts'
import { LinesInput } from './LinesInput.tsx'

const ofPlan = ['Plan', 'West', 'North', 'East', 'South', 'Turn']
const edges = ['Plan', 'West', 'North', 'East', 'South']

/** Fields depend on the kind: a file with lines, or an image with its edges. */
export const refine: FormProps['refine'] = ({ Kind }) =>
  Kind === layerKinds.plan ? { hidden: ['Lines'], required: edges } : { hidden: ofPlan, required: ['Lines'] }

export const inputs: FormProps['inputs'] = { Lines: LinesInput }
