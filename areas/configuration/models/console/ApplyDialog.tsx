/** The action of a row in the list of models. */
export { default } from './ApplyModel.tsx'
