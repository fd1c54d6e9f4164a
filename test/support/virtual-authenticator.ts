export {
  softwareAuthenticator,
  type Behaviour,
  type SigningAlgorithm,
  type SoftwareAuthenticator,
} from '../../apps/demo/src/software-authenticator.js';
